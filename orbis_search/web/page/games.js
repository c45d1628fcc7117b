// Games in the folder: tracked at a table, played against levels, and opened again.

import { button, el, replace } from './dom.js';
import { Lost } from './link.js';
import { factsOf } from './position.js';
import { keep, state } from './store.js';
import { Table } from './table.js';
import { say } from './words.js';

export class Games {
  constructor(app) {
    this.app = app;
    this.game = null;
    this.fixing = null; // a turn that is being corrected, and those behind it that no longer fit
    this.table = new Table(app.link, {
      play: (move, drawn) => this.play(move, drawn),
      named: () => !this.isDealt(),
      random: () => false,
      unseen: () => true,
      hidden: () => state.hide || this.isDealt(),
      aside: () => (this.game && !this.fixing ? [button(say('take_back'), () => this.undo(), { disabled: !this.game.turns.length, id: 'undo', 'data-key': 'undo' })] : []),
    });
    this.problem = el('p', { class: 'problem', role: 'alert', hidden: true });
  }

  isDealt() { return this.game !== null && this.game.seats.some((seat) => seat !== ''); }

  open(into) {
    this.into = into;
    this.game = null;
    this.table.empty();
    replace(into, this.problem); // what was there before is not of this view
    if (state.file) this.load(state.file);
    else this.list();
  }

  close() { this.table.leave(); }

  // ---- the list

  async list() {
    state.file = null;
    keep();
    history.replaceState(null, '', location.pathname);
    let games = [];
    try {
      ({ games } = await this.app.link.ask('games'));
    } catch (error) {
      this.app.fail(error, this.problem);
    }
    if (state.view !== 'games' || state.file) return;
    const level = el('select', { id: 'level' }, this.app.levels.map((name, at) => el('option', { value: name, selected: at === 2 }, `${at + 1} ${say(`level_${name}`)}`)));
    const number = el('select', { id: 'number' }, [2, 3, 4].map((each) => el('option', { value: each }, String(each))));
    const name = el('input', { type: 'text', value: state.name ?? say('me'), maxlength: 40, autocomplete: 'off', id: 'name' });
    const first = el('input', { type: 'checkbox', checked: true, id: 'first' });
    const play = (event) => {
      event.preventDefault();
      const others = Array(Number(number.value) - 1).fill(level.value);
      const me = name.value.trim();
      if (me && me !== say('me')) { state.name = me; keep(); }
      const mine = me ? `${me}=me` : 'me';
      this.begin({ seats: first.checked ? [mine, ...others] : [...others, mine] });
    };
    replace(this.into, this.problem,
      el('div', { class: 'cards' },
        el('form', { class: 'card', onsubmit: play }, el('h2', {}, say('play_level')),
          el('label', {}, say('level_choice'), level), el('label', {}, say('players'), number), el('label', {}, say('name'), name),
          el('label', { class: 'check' }, first, say('i_begin')),
          el('button', { type: 'submit', class: 'main' }, say('deal'))),
        el('section', { class: 'card' }, el('h2', {}, say('track_game')), el('p', {}, say('track_how')),
          button(say('lay_table'), () => { state.draft = null; keep(); this.app.go('edit'); })),
        el('section', { class: 'card' }, el('h2', {}, say('kept')),
          games.length ? el('ul', { class: 'files' }, games.map((each) => this.file(each))) : el('p', { class: 'note' }, say('none_kept')))));
  }

  file(each) {
    if (each.problem) return el('li', {}, el('span', { class: 'problem' }, each.problem));
    const told = `${each.file}: ${each.players.join(', ')}; ${say('turns_played', { number: each.turns })}${each.over ? `; ${say('over')}` : ''}`;
    return el('li', {}, button(told, () => this.load(each.file)));
  }

  async begin(fields) {
    try {
      this.take(await this.app.link.ask('begin', fields));
    } catch (error) {
      this.app.fail(error, this.problem);
    }
  }

  // ---- one game

  async load(file) {
    state.file = file;
    keep();
    try {
      this.take(await this.app.link.ask('game', { file }));
    } catch (error) {
      if (error instanceof Lost) return;
      state.file = null;
      await this.list();
      this.app.fail(error, this.problem);
    }
  }

  // The game as it is now, and what there is to say about that.
  async take(game, news = '') {
    if (state.view !== 'games') return;
    this.game = game;
    this.news = news;
    this.fixing = null;
    state.file = game.file;
    keep();
    this.problem.hidden = true;
    const position = game.position ?? game.text;
    this.table.leave();
    this.layOut();
    try {
      const mine = game.to_move !== null && !game.resigned && !game.thinking;
      await this.table.show({ position, advise: mine && game.position !== null, enter: mine, fresh: this.lately().map((turn) => turn.cell) }, this.facts(game));
      if (this.game !== game) return;
      if (game.thinking) await this.think();
    } catch (error) {
      if (this.game === game) this.app.fail(error, this.problem);
    }
  }

  async facts(game) {
    if (game.position) {
      const facts = factsOf(await this.app.link.ask('show', { position: game.position }));
      return { ...facts, names: game.players };
    }
    return { names: game.players, mover: game.to_move, left: 99, gods: this.app.gods, over: game.to_move === null };
  }

  async think() {
    const { game } = this;
    this.status.textContent = say('thinks', { name: game.players[game.to_move - 1] });
    const next = await this.app.link.ask('think', { file: game.file, number: game.next });
    if (this.game === game && next) await this.take(next);
  }

  async play(move, drawn) {
    const { game } = this;
    if (this.fixing) { await this.fix({ number: this.fixing.number, said: move.text, drawn }); return; }
    const next = await this.app.link.ask('turn', { file: game.file, number: game.next, said: move.text, drawn });
    if (this.game === game) await this.take(next);
  }

  async undo() {
    const { game } = this;
    try {
      const next = await this.app.link.ask('back', { file: game.file, number: game.next - 1 });
      if (this.game === game) await this.take(next);
    } catch (error) {
      this.app.fail(error, this.problem);
    }
  }

  // What was asked of the game; its answer is the game as it is now.
  async change(action, fields) {
    const { game } = this;
    try {
      const next = await this.app.link.ask(action, { file: game.file, ...fields });
      if (this.game === game) await this.take(next.game ?? next, next.told);
    } catch (error) {
      this.app.fail(error, this.problem);
    }
  }

  // ---- a turn corrected

  // Enters a turn again, from what was on the table then; or only the tile that came after it.
  async correct(turn, tile) {
    const { game } = this;
    this.fixing = { number: turn.number, turns: [] };
    this.told = say('correcting', { turn: turn.number, name: game.players[turn.player - 1] });
    await this.enter(game.text, turn.number, turn.player, tile ? null : turn.drawn);
    if (!tile || this.fixing?.number !== turn.number) return;
    await this.table.answer([turn.move]);
    await this.table.play();
  }

  async enter(text, number, player, came) {
    const { game } = this;
    this.table.leave();
    this.layOut();
    const known = await this.app.link.ask('show', { position: text, turn: number }).then(factsOf, () => null);
    if (this.game !== game || !this.fixing) return;
    const facts = known ?? { mover: player, left: 99, gods: this.app.gods, over: false };
    await this.table.show({ position: text, turn: number, advise: false, enter: true, came }, { ...facts, names: game.players });
  }

  async fix(turn, cut = false) {
    const { game } = this;
    const turns = turn ? [...this.fixing.turns, turn] : this.fixing.turns;
    const found = await this.app.link.ask('fix', { file: game.file, turns, cut });
    if (this.game !== game) return;
    if (found.game) { await this.take(found.game); return; }
    const { number, move, why, text, to_move: player } = found.misfit;
    this.fixing = { number, turns };
    this.told = say('misfit', { turn: number, name: game.players[player - 1], move, why });
    await this.enter(text, number, player, game.turns.find((each) => each.number === number)?.drawn);
  }

  drawFixing() {
    const misfits = this.fixing.turns.length > 0;
    return el('section', { class: 'entry' }, el('p', { class: 'hint', role: 'status' }, this.told), el('p', { class: 'tools' },
      misfits ? button(say('cut'), () => this.fix(null, true).catch((error) => this.app.fail(error, this.problem))) : null,
      button(say('as_it_was'), () => this.take(this.game))));
  }

  // ---- what is on the page

  // What happened since one's own last turn.
  lately() {
    const { turns, seats } = this.game;
    if (!this.isDealt()) return turns.slice(-1);
    const mine = turns.findLastIndex((turn) => seats[turn.player - 1] === 'me');
    return turns.slice(Math.max(0, mine));
  }

  // A turn in the list: its words, and below them what can be done about it.
  turn(turn) {
    const { game } = this;
    const comment = el('input', { type: 'text', value: turn.comment, maxlength: 300, autocomplete: 'off' });
    const note = (event) => { event.preventDefault(); this.change('note', { number: turn.number, comment: comment.value }); };
    const fixes = this.isDealt() ? null : el('p', { class: 'tools' }, button(say('correct_move'), () => this.correct(turn, false)),
      turn.cell ? button(say('correct_tile'), () => this.correct(turn, true)) : null);
    return el('li', { value: turn.number }, el('details', { class: 'turn' },
      el('summary', {}, `${this.line(turn)}${turn.comment ? ` – ${turn.comment}` : ''}`),
      el('form', { onsubmit: note }, el('label', {}, say('comment'), comment, el('button', { type: 'submit' }, say('ok')))), fixes));
  }

  line(turn) {
    const came = turn.drawn ? say('came', { tile: turn.drawn }) : turn.open ? say('unseen') : null;
    return [`${this.game.players[turn.player - 1]}: ${turn.words}`, came].filter(Boolean).join('; ');
  }

  layOut() {
    const { game } = this;
    const points = game.players.map((name, seat) => `${name} ${game.points[seat]}`).join(' : ');
    const who = game.to_move ? game.players[game.to_move - 1] : '';
    const end = game.winners.length ? say('wins', { names: game.winners.map((seat) => game.players[seat - 1]).join(', ') })
      : game.resigned ? say('gave_up', { name: who }) : '';
    this.status = el('p', { class: 'status', role: 'status' }, end || say('to_move', { name: who, turn: game.next }));
    const hide = el('input', {
      type: 'checkbox', checked: state.hide,
      onchange: (event) => { state.hide = event.target.checked; keep(); this.table.advice.draw(); this.table.update(); },
    });
    const late = game.turns.find((turn) => turn.number === game.unseen[0]);
    const lately = this.lately();
    const side = el('div', { class: 'side' },
      el('div', { class: 'first' }, this.status, lately.length ? el('ul', { class: 'lately' }, lately.map((turn) => el('li', {}, this.line(turn)))) : null),
      this.news ? el('p', { class: 'note', role: 'status' }, this.news) : null,
      this.fixing ? this.drawFixing() : null,
      this.table.bar, this.table.advice.place,
      late ? button(say('name_late', { turn: late.number }), () => this.correct(late, true), { id: 'name-late' }) : null,
      game.described.map((tile) => el('p', { class: 'tools' }, say('not_in_set', { tile: tile.words }),
        button(say('keep_tile'), () => this.change('learn', { tile: tile.tile })))),
      el('p', { class: 'tools' },
        button(say('review'), () => this.app.review(game.file), { disabled: !game.turns.length }),
        game.position ? button(say('analyse_this'), () => this.app.analyse(game.position)) : null,
        button(say('other_game'), () => { this.game = null; this.table.leave(); this.list(); }, { id: 'other-game' }),
        this.isDealt() ? this.givingUp() : el('label', { class: 'check' }, hide, say('hide'))),
      el('p', { class: 'note' }, `${game.file} · ${points}`),
      el('details', {}, el('summary', {}, say('turns')), el('ol', { class: 'turns' }, game.turns.slice().reverse().map((turn) => this.turn(turn)))));
    replace(this.into, this.problem, el('div', { class: 'two' }, this.table.board, side));
  }

  // Two taps, as nobody wants to give up by mistake.
  givingUp() {
    const { game } = this;
    if (!game.to_move || game.resigned || game.thinking) return null;
    const made = button(say('resign'), () => {
      if (made.dataset.sure) this.change('resign', { number: game.next });
      else { made.dataset.sure = 'yes'; made.textContent = say('resign_really'); }
    }, { id: 'resign' });
    return made;
  }
}
