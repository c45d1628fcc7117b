// A table to play on: the picture of a position, a move entered on it by taps, the tile that comes, and advice beside it.

import { Advice } from './advice.js';
import { button, el, isNarrow, replace } from './dom.js';
import { Lost, Refused } from './link.js';
import { ownTile } from './own_tile.js';
import { picture, place, write } from './picture.js';
import { COLOURS, disc, discs, places, spelled, tileButton } from './tiles.js';
import { percent, say } from './words.js';

const MOST_LISTED = 12; // ways to give worshipers that are listed one by one

export class Table {
  // `hooks`: play(move, drawn) once a turn is entered, named(): whether people say which tile came, random(): whether one
  // can be drawn instead, unseen(): whether they may not have seen it, hidden(): whether advice waits for a move of one's
  // own, aside(): buttons beside the question, such as undo
  constructor(link, hooks) {
    this.link = link;
    this.hooks = hooks;
    this.board = el('div', { class: 'board-place' });
    this.bar = el('section', { class: 'entry', 'aria-label': say('your_move') });
    this.advice = new Advice(link, {
      preview: (text) => this.preview(text),
      choose: (text) => this.answer([text]),
      changed: () => this.update(),
      hidden: () => this.hooks.hidden() && this.move === null,
      ready: () => this.board.dataset.position !== '' && this.board.dataset.position === this.source?.position,
    });
    this.verdict = el('div');
    this.empty();
    new ResizeObserver(([{ contentRect }]) => {
      this.width = contentRect.width;
      if (this.source && this.sheet() !== this.drawn?.sheet) this.paint();
    }).observe(this.board);
  }

  elements() { return [this.board, el('div', { class: 'side' }, this.bar, this.advice.place)]; }

  empty() {
    this.source = null;
    this.drawn = null;
    this.forget();
  }

  forget() {
    this.answers = [];
    this.question = null;
    this.move = null;
    this.words = '';
    this.notes = [];
    this.picked = '';
    this.coming = null;
    this.problem = '';
    this.shown = null; // the move that is marked on the picture
  }

  // Another position is on its way: what is known of this one is gone at once.
  leave() {
    this.source = null;
    this.forget();
    this.advice.clear();
    this.board.dataset.position = '';
    replace(this.bar);
  }

  // Shows a position: {position, advise, enter}; of a game, that before a `turn`. `fresh` are cells that have just been
  // refilled, `came` is the tile that is taken to have come if it can. `facts` of it may still be on their way: whoever
  // waits for advice should not wait for them first.
  async show(source, facts) {
    const same = this.source?.position === source.position && this.source.turn === source.turn;
    if (same && this.source.enter === source.enter) { await facts; return; }
    const below = this.board.getBoundingClientRect().top < 0; // now, while nothing is changed that had to be laid out
    this.leave();
    this.source = source;
    this.scenes = new Map();
    this.marks = source.marks ?? null;
    if (source.advise) this.advice.start(source.position, source);
    const picture = this.scene(this.wanted()).catch(() => {}); // asked for now; `paint` tells what was wrong with it
    try {
      Object.assign(source, await facts);
    } catch (error) {
      if (this.source === source) { this.leave(); replace(this.board); }
      throw error;
    }
    if (this.source !== source) return;
    if (source.over) { Object.assign(source, { advise: false, enter: false }); this.advice.clear(); }
    await picture;
    await this.paint();
    if (this.source !== source) return;
    if (below) this.board.scrollIntoView({ block: 'start' });
    this.advice.draw();
    this.drawBar();
    if (source.enter) await this.answer(this.answers);
  }

  // The position, as requests name it.
  at(source = this.source) { return source.turn ? { position: source.position, turn: source.turn } : { position: source.position }; }

  // Asking the page for a width makes it lay everything out first, so that is done once.
  sheet() { return (this.width || this.board.clientWidth) < 700 ? 'narrow' : 'beside'; }

  // ---- the picture

  async scene(move) {
    const sheet = this.sheet();
    const better = this.marks?.better ?? null;
    const key = `${sheet} ${move ?? ''} ${better ?? ''}`;
    const { scenes } = this; // of this position: another one has others
    if (!scenes.has(key)) scenes.set(key, { sheet, scene: await this.link.ask('draw', { ...this.at(), sheet, move, better }) });
    return scenes.get(key);
  }

  // The move that the picture is to show.
  wanted() { return this.shown ?? this.move?.text ?? this.marks?.move ?? null; }

  async paint() {
    const source = this.source;
    if (!source?.names) return; // nothing is known of it yet
    const wanted = this.wanted();
    try {
      const drawn = await this.scene(wanted);
      if (this.source !== source || wanted !== this.wanted()) return;
      this.drawn = drawn;
      this.refresh();
    } catch (error) {
      if (!(error instanceof Lost) && this.source === source) this.fail(error);
    }
  }

  refresh() {
    if (!this.drawn || !this.source) return;
    place(picture(this.drawn.scene, { press: (name) => this.press(name), look: (name) => this.look(name) }), this.board);
    this.board.dataset.position = this.source.position;
    this.update();
  }

  // What advice has found: badges, and the verdict on a move. Nothing that can be pressed is replaced.
  update() {
    const svg = this.board.firstElementChild;
    if (!this.drawn || !svg || this.board.dataset.position !== this.source?.position) return;
    write(svg, this.drawn.scene, (name) => this.badge(name));
    if (this.move !== null && this.source.advise) replace(this.verdict, this.advice.verdict());
  }

  badge(name) {
    const of = name.startsWith('centre-') ? name.slice(7) : name.startsWith('god-') ? name.slice(4) : null;
    const worth = of && this.advice.worth(of);
    return worth === null || worth === undefined || !of ? '' : percent(worth, 0);
  }

  preview(text) {
    if (this.shown === text) return;
    this.shown = text;
    this.paint();
  }

  // ---- a move, tap by tap

  press(name) {
    if (!this.source?.enter || this.coming) return null;
    if (name.startsWith('centre-')) return () => this.answer([name.slice(7)]);
    if (name.startsWith('god-') && this.gods.includes(name.slice(4))) return () => this.answer([name.slice(4)]);
    const slot = this.slotOf(name);
    if (slot && this.isLit(name)) return () => this.answer([...this.answers, slot]);
    if (slot && this.look(name) === 'chosen') return () => this.answer(this.answers.slice(0, 1)); // another one after all
    return null;
  }

  slotOf(name) {
    const match = /^player-(\d)-free-(.+)$/.exec(name);
    return match && Number(match[1]) === this.source.mover ? match[2] : null;
  }

  get gods() { return this.source.gods ?? []; }

  isLit(name) {
    if (!this.question) return false;
    if (this.question.kind === 'slot' || this.question.kind === 'wild') {
      const slot = this.slotOf(name);
      return slot !== null && this.question.options.some((option) => option.label === slot);
    }
    return false;
  }

  // What was chosen so far stays marked until the whole move is drawn; a tile that has just come stands out until then.
  look(name) {
    if (this.isLit(name)) return 'lit';
    const [first, second] = this.answers;
    if (this.move === null && first && [`centre-${first}`, `god-${first}`].includes(name)) return 'chosen';
    if (this.move === null && second && this.slotOf(name) === second) return 'chosen';
    return this.source.fresh?.some((cell) => name === `centre-${cell}`) && !first ? 'fresh' : '';
  }

  // Asks what comes after these answers: the next question, or the move.
  async answer(answers) {
    const source = this.source;
    if (!source) return;
    try {
      const found = await this.link.ask('enter', { ...this.at(source), answers });
      if (this.source !== source) return;
      const same = !answers.length && !this.answers.length && this.shown === null; // as it is drawn
      this.answers = answers;
      this.question = found.question;
      this.move = found.move;
      this.words = found.words;
      this.notes = found.notes;
      this.doubtful = found.doubtful;
      this.seen = found.seen;
      this.picked = '';
      this.problem = '';
      this.shown = null;
      replace(this.verdict);
      if (this.move !== null && source.advise) this.advice.compare(this.move.text);
      else this.advice.forget();
      if (!same) {
        this.advice.draw();
        await this.paint();
      }
      this.drawBar();
      this.reveal();
    } catch (error) {
      if (this.source === source) this.fail(error);
    }
  }

  // On a phone the places that are lit may lie below the edge.
  reveal() {
    const places = [...this.board.querySelectorAll('.lit')];
    if (!places.length) return;
    const lit = places.map((each) => each.getBoundingClientRect());
    const top = document.getElementById('head').getBoundingClientRect().bottom;
    const bottom = isNarrow() ? Math.min(innerHeight, this.bar.getBoundingClientRect().top) : innerHeight; // there it covers the board
    if (!lit.some((box) => box.top >= top && box.bottom <= bottom)) places[0].scrollIntoView({ block: 'center' });
  }

  back() {
    if (this.coming) { this.coming = null; this.drawBar(); this.refresh(); return; }
    this.answer(this.answers.slice(0, -1));
  }

  fail(error) {
    if (error instanceof Lost) return;
    this.problem = error instanceof Refused ? error.message : String(error);
    this.drawBar();
  }

  drawBar() {
    const aside = el('span', { class: 'aside' }, this.hooks.aside?.() ?? []);
    if (!this.source?.enter) {
      const told = [this.problem ? el('p', { class: 'problem', role: 'alert' }, this.problem) : null, aside.childNodes.length ? aside : null];
      replace(this.bar, told);
      return;
    }
    const focused = this.bar.contains(document.activeElement) ? document.activeElement.dataset.key : null;
    const parts = [];
    if (this.problem) parts.push(el('p', { class: 'problem', role: 'alert' }, this.problem));
    parts.push(...this.notes.map((note) => el('p', { class: 'note' }, note)));
    if (this.coming) parts.push(this.drawComing());
    else if (this.move !== null) parts.push(this.drawMove());
    else if (this.question) parts.push(this.drawQuestion());
    if (this.answers.length) parts.push(el('p', { class: 'tools' }, button(say('back'), () => this.back(), { 'data-key': 'back' })));
    else if (aside.childNodes.length) parts.unshift(aside);
    replace(this.bar, parts);
    if (focused) [...this.bar.querySelectorAll('[data-key]')].find((each) => each.dataset.key === focused)?.focus();
  }

  drawMove() {
    return [
      el('p', { class: 'move' }, this.words),
      this.source.advise ? this.verdict : null,
      el('p', { class: 'tools' }, button(say(this.doubtful ? 'play_wild' : 'play'), () => this.play(), { class: 'main', 'data-key': 'play' })),
    ];
  }

  drawQuestion() {
    const { question } = this;
    if (question.kind === 'cell') return el('p', { class: 'hint' }, say('tap_tile'));
    const asked = { slot: 'tap_slot', wild: 'tap_wild', verdict: 'tap_verdict', removed: 'tap_removed' }[question.kind];
    const heading = el('p', { class: 'hint' }, asked ? say(asked) : plain(question.text));
    const few = question.options.length <= MOST_LISTED && question.options.length > 0;
    if (['gain', 'goes'].includes(question.kind) && (question.kind === 'gain' || !few)) return [heading, this.colours(question)];
    if (question.stock.length) return [heading, this.removed(question)];
    if (!question.options.length) return [heading, ...question.above.map((line) => el('p', { class: 'note' }, line)), this.typed(question)];
    const options = question.options.map((option) => this.option(question, option));
    return [heading, el('p', { class: 'options' }, options)];
  }

  option(question, option) {
    const said = option.key || option.label;
    const shown = question.kind === 'goes' ? discs(option.label) : question.kind === 'removed' ? places(option.label) : option.label;
    return button(shown, () => this.answer([...this.answers, said]), { 'data-key': `${question.kind} ${said}`, 'aria-label': option.label });
  }

  // So many worshipers, one tap each; those that can be.
  colours(question) {
    const ways = question.options.map((option) => spelled(option.label));
    const left = question.number - this.picked.length;
    const possible = (colour) => !ways.length || ways.some((way) => contains(way, this.picked + colour));
    const add = (colour) => {
      this.picked += colour;
      this.drawBar();
      if (this.picked.length === question.number) this.answer([...this.answers, this.picked]);
    };
    return [
      el('p', { class: 'options' }, COLOURS.map((colour) => button(disc(colour), () => add(colour),
        { 'aria-label': say(`colour_${colour}`), disabled: left < 1 || !possible(colour), 'data-key': `colour ${colour}` }))),
      el('p', { class: 'note' }, say('picked', { picked: this.picked || '–', left })),
      this.picked ? button(say('clear'), () => { this.picked = ''; this.drawBar(); }, { 'data-key': 'clear' }) : null,
    ];
  }

  // What a volcano removes, one tap each. A digit for a cell and one for a colour make one worshiper.
  removed(question) {
    const number = question.number / 2;
    const picked = this.picked ? this.picked.split(' ') : [];
    const add = (word) => {
      this.picked = [...picked, word].join(' ');
      this.drawBar();
      if (picked.length + 1 === number) this.answer([...this.answers, this.picked]);
    };
    const buttons = question.stock.flatMap((each) => {
      const [, cell, worshipers] = /^(.+):(.+)$/.exec(each);
      return [...new Set(spelled(worshipers))].map((colour) => {
        const word = `${cell}:${colour}`;
        const left = spelled(worshipers).split(colour).length - 1 - picked.filter((other) => other === word).length;
        return button([`${cell} `, disc(colour), left > 1 ? ` ×${left}` : ''], () => add(word), { 'aria-label': `${cell} ${say(`colour_${colour}`)}`, disabled: left < 1 || picked.length >= number, 'data-key': `remove ${word}` });
      });
    });
    return [
      el('p', { class: 'options' }, buttons),
      el('p', { class: 'note' }, say('picked', { picked: this.picked || '–', left: number - picked.length })),
      this.picked ? button(say('clear'), () => { this.picked = ''; this.drawBar(); }, { 'data-key': 'clear' }) : null,
    ];
  }

  typed(question) {
    const input = el('input', { type: 'text', 'aria-label': plain(question.text), autocomplete: 'off', 'data-key': 'typed' });
    return el('form', { onsubmit: (event) => { event.preventDefault(); this.answer([...this.answers, input.value]); } },
      input, el('button', { type: 'submit' }, say('ok')));
  }

  // ---- the tile that comes

  async play() {
    const source = this.source, move = this.move;
    if (!move.cell || !this.hooks.named()) { this.finish(null); return; }
    try {
      const { tiles } = await this.link.ask('draws', { ...this.at(source), move: move.text });
      if (this.source !== source || this.move !== move) return;
      if (tiles.length === 1) { this.finish(tiles[0].tile); return; }
      if (source.came && tiles.some((tile) => tile.tile === source.came)) { this.finish(null); return; }
      this.coming = { tiles, words: '', fitting: tiles };
      this.drawBar();
      this.refresh();
      this.bar.querySelector('.tiles button')?.focus();
    } catch (error) {
      if (this.source === source) this.fail(error);
    }
  }

  drawComing() {
    const { coming } = this;
    // Made once: what was filled in stays when it is refused.
    coming.own ??= el('details', {}, el('summary', {}, say('own_tile')), ownTile('it_came', (tile) => this.finish(tile), coming.tiles[0]?.level));
    const filter = el('input', {
      type: 'search', value: coming.words, placeholder: say('tile_words'), 'aria-label': say('tile_words'), autocomplete: 'off',
      'data-key': 'words', oninput: (event) => this.narrow(event.target.value),
    });
    return [
      el('p', { class: 'hint' }, say('which_came')),
      el('ul', { class: 'tiles' }, this.offers()),
      filter,
      el('p', { class: 'tools' },
        this.hooks.random() ? button(say('draw_one'), () => this.finish(coming.tiles[Math.floor(Math.random() * coming.tiles.length)].tile), { 'data-key': 'random' }) : null,
        this.hooks.unseen() ? button(say('not_seen'), () => this.finish('?'), { 'data-key': 'unseen' }) : null),
      coming.own,
    ];
  }

  offers() {
    const { coming } = this;
    if (!coming.fitting.length) return [el('li', { class: 'note' }, say('no_tile_fits'))];
    // While other words are on their way, what is listed is not what was meant.
    return coming.fitting.map((tile) => el('li', {}, tileButton(tile, () => { if (!coming.late) this.finish(tile.tile); })));
  }

  async narrow(words) {
    const { coming, source, move } = this;
    coming.words = words;
    coming.late = true;
    try {
      const { tiles } = await this.link.ask('draws', { ...this.at(source), move: move.text, words });
      if (this.coming !== coming || coming.words !== words) return;
      coming.late = false;
      coming.fitting = tiles;
      replace(this.bar.querySelector('.tiles'), this.offers());
    } catch (error) {
      if (this.coming === coming) this.fail(error);
    }
  }

  async finish(drawn) {
    const source = this.source;
    try {
      await this.hooks.play(this.move, drawn, this.words);
    } catch (error) {
      if (this.source === source) this.fail(error);
    }
  }
}

// ---- small things

const plain = (text) => text.replace(/\s*\([^()]*\)(\s*\[[^\]]*\])?\s*$/, '');

function contains(way, part) {
  return COLOURS.every((colour) => way.split(colour).length >= part.split(colour).length);
}
