// Games in the folder: tracked at a table, played against levels, and opened again.

import { button, el, replace } from './dom.js';
import { Lost } from './link.js';
import { factsOf } from './position.js';
import { keep, state } from './store.js';
import { Table } from './table.js';
import { say } from './words.js';

const LEVELS = ['beginner', 'novice', 'casual', 'regular', 'keen', 'skilled', 'strong', 'expert', 'master', 'full'];

export class Games {
  constructor(app) {
    this.app = app;
    this.game = null;
    this.table = new Table(app.link, {
      play: (move, drawn) => this.play(move, drawn),
      named: () => !this.isDealt(),
      random: () => false,
      unseen: () => true,
      hidden: () => state.hide || this.isDealt(),
    });
    this.problem = el('p', { class: 'problem', role: 'alert', hidden: true });
  }

  isDealt() { return this.game !== null && this.game.seats.some((seat) => seat !== ''); }

  open(into) {
    this.into = into;
    this.game = null;
    this.table.empty();
    if (state.file) this.load(state.file);
    else this.list();
  }

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
    const level = el('select', { id: 'level' }, LEVELS.map((name, at) => el('option', { value: name, selected: at === 2 }, `${at + 1} ${say(`level_${name}`)}`)));
    const number = el('select', { id: 'number' }, [2, 3, 4].map((each) => el('option', { value: each }, String(each))));
    const first = el('input', { type: 'checkbox', checked: true, id: 'first' });
    const play = (event) => {
      event.preventDefault();
      const others = Array(Number(number.value) - 1).fill(level.value);
      this.begin({ seats: first.checked ? ['me', ...others] : [...others, 'me'] });
    };
    replace(this.into, this.problem,
      el('div', { class: 'cards' },
        el('form', { class: 'card', onsubmit: play }, el('h2', {}, say('play_level')),
          el('label', {}, say('level_choice'), level), el('label', {}, say('players'), number),
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

  async take(game) {
    if (state.view !== 'games') return;
    this.game = game;
    state.file = game.file;
    keep();
    this.problem.hidden = true;
    const position = game.position ?? game.text;
    this.table.leave();
    this.layOut();
    try {
      const facts = await this.facts(game);
      if (this.game !== game) return;
      const over = facts.over || game.resigned;
      await this.table.show({
        position, ...facts, advise: !over && game.position !== null && !game.thinking, enter: !over && !game.thinking,
      });
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
    return { names: game.players, mover: game.to_move, left: 99, gods: GODS, over: game.to_move === null };
  }

  async think() {
    const { game } = this;
    this.status.textContent = say('thinks', { name: game.players[game.to_move - 1] });
    const next = await this.app.link.ask('think', { file: game.file, number: game.next });
    if (this.game === game && next) await this.take(next);
  }

  async play(move, drawn) {
    const { game } = this;
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

  async name(number) {
    const { game } = this;
    const tile = this.naming.querySelector('input').value;
    try {
      const next = await this.app.link.ask('see', { file: game.file, number, drawn: tile });
      if (this.game === game) await this.take(next);
    } catch (error) {
      this.app.fail(error, this.problem);
    }
  }

  layOut() {
    const { game } = this;
    const points = game.players.map((name, seat) => `${name} ${game.points[seat]}`).join(' : ');
    const end = game.winners.length ? say('wins', { names: game.winners.map((seat) => game.players[seat - 1]).join(', ') }) : '';
    this.status = el('p', { class: 'status', role: 'status' },
      end || (game.to_move ? say('to_move', { name: game.players[game.to_move - 1], turn: game.next }) : ''));
    const hide = el('input', {
      type: 'checkbox', checked: state.hide,
      onchange: (event) => { state.hide = event.target.checked; keep(); this.table.advice.draw(); this.table.update(); },
    });
    const turns = game.turns.slice().reverse().map((turn) => el('li', { value: turn.number },
      `${game.players[turn.player - 1]}: ${turn.words}${turn.drawn ? ` | ${turn.drawn}` : turn.open ? ' | ?' : ''}`));
    this.naming = game.unseen.length ? el('form', { class: 'tools', onsubmit: (event) => { event.preventDefault(); this.name(game.unseen[0]); } },
      el('label', {}, say('name_late', { turn: game.unseen[0] }), el('input', { type: 'text', autocomplete: 'off' })), el('button', { type: 'submit' }, say('ok'))) : null;
    const side = el('div', { class: 'side' }, this.status, this.table.bar, this.table.advice.place, this.naming,
      el('p', { class: 'tools' },
        button(say('take_back'), () => this.undo(), { disabled: !game.turns.length, id: 'undo' }),
        button(say('review'), () => this.app.review(game.file), { disabled: !game.turns.length }),
        game.position ? button(say('analyse_this'), () => this.app.analyse(game.position)) : null,
        button(say('other_game'), () => { this.game = null; this.table.empty(); this.list(); }),
        this.isDealt() ? null : el('label', { class: 'check' }, hide, say('hide'))),
      el('p', { class: 'note' }, `${game.file} · ${points}`),
      el('details', {}, el('summary', {}, say('turns')), el('ol', { class: 'turns' }, turns)));
    replace(this.into, this.problem, el('div', { class: 'two' }, this.table.board, side));
  }
}

const GODS = ['love', 'apprentice', 'oceans', 'fire', 'nature', 'harvests', 'idleness', 'technology', 'equilibrium', 'death'];
