// Edit: a table laid piece by piece. What was last touched is open below it; every change is checked at once.

import { button, el, isNarrow, replace } from './dom.js';
import { Lost } from './link.js';
import { ownTile } from './own_tile.js';
import { picture, place } from './picture.js';
import { keep, state } from './store.js';
import { COLOURS, disc, discs, spelled, tileButton } from './tiles.js';
import { say } from './words.js';

export class Edit {
  constructor(app) {
    this.app = app;
    this.board = el('div', { class: 'board-place' });
    this.sheet = el('section', { class: 'entry', 'aria-label': say('part') });
    this.problems = el('section', { class: 'problems', 'aria-label': say('problems') });
    this.part = null; // what is open: a cell, a slot, gods, or a player
    this.words = '';
    this.found = null;
    this.turn = Promise.resolve();
  }

  open(into) {
    const paste = el('textarea', { rows: 6, 'aria-label': say('paste'), spellcheck: 'false' });
    const begin = (number) => this.change([['players', String(number)]], null);
    this.tileSet = el('input', { type: 'text', autocomplete: 'off', onchange: (event) => this.change([['tiles', event.target.value]]) });
    replace(into, el('div', { class: 'two' }, this.board, el('div', { class: 'side' },
      el('p', { class: 'tools first' },
        button(say('analyse_this'), () => this.analyse(), { class: 'main', id: 'to-analyse', disabled: true }),
        button(say('track_this'), () => this.track(), { id: 'to-track', disabled: true })),
      this.sheet, this.problems,
      el('details', {}, el('summary', {}, say('other_table')),
        el('p', { class: 'tools' }, [2, 3, 4].map((number) => button(say('empty_table', { number }), () => begin(number))),
          button(say('example'), () => this.load(this.app.example))),
        el('label', {}, say('tile_set'), this.tileSet),
        el('form', { onsubmit: (event) => { event.preventDefault(); this.load(paste.value); } },
          paste, el('button', { type: 'submit' }, say('load')))))));
    this.change([]);
  }

  sheetName() { return this.board.clientWidth < 700 ? 'narrow' : 'beside'; }

  async load(text) { await this.change([], text); }

  // Changes come one after another, however fast they are tapped: each begins with the table that the one before it left.
  // `changes` are pairs of a part and its text, or make them from the table; `from` is another table to begin with.
  change(changes, from) {
    this.turn = this.turn.then(() => this.apply(changes, from));
    return this.turn;
  }

  async apply(changes, from = state.draft) {
    if (state.view !== 'edit') return;
    const { part, words } = this;
    try {
      const pairs = typeof changes === 'function' ? changes(this.found.table) : changes;
      const found = await this.app.link.ask('edit', { draft: from, changes: pairs, part: part && this.isTile() ? part : null, words, sheet: this.sheetName() });
      if (state.view !== 'edit') return;
      this.found = found;
      if (/ 1[LR]$/.test(this.part) && !found.picture.groups.some(({ name }) => partOf(name) === this.part)) this.part = null; // the row is full
      this.offered = part === this.part ? words : null;
      this.problem = '';
      if (pairs.length) this.described = null;
      state.draft = found.draft;
      keep();
      if (found.position) history.replaceState(null, '', `#${found.position}`);
    } catch (error) {
      if (error instanceof Lost) return;
      this.problem = error.place ? `${error.place}: ${error.message}` : error.message;
    }
    this.draw();
    if (this.part && this.isTile() && this.offered !== this.words) this.offer(); // something else was typed meanwhile
  }

  isTile() { return isPlace(this.part); }

  choose(part) {
    this.part = part;
    this.words = '';
    this.change([]).then(() => {
      this.sheet.querySelector('input[type=search]')?.focus({ preventScroll: true });
      // On a phone the sheet lies over the lower half of the table.
      const lit = this.board.querySelector('.lit');
      if (lit && isNarrow() && lit.getBoundingClientRect().bottom > this.sheet.getBoundingClientRect().top) lit.scrollIntoView({ block: 'start' });
    });
  }

  draw() {
    if (!this.found) { replace(this.sheet, el('p', { class: 'problem', role: 'alert' }, this.problem)); return; }
    const wrong = new Set(this.found.problems.map((each) => placeToPart(each.place)));
    place(picture(this.found.picture, {
      press: (name) => { const part = partOf(name); return part && (() => this.choose(part)); },
      label: (name) => (name === 'gods' ? say('gods') : name),
      look: (name) => { const part = partOf(name); return part === null ? '' : part === this.part ? 'lit' : !wrong.has(part) ? '' : isOpen(part) ? 'open' : 'wrong'; },
    }), this.board);
    this.board.dataset.position = this.found.position ?? '';
    document.getElementById('to-analyse').disabled = !this.found.position;
    document.getElementById('to-track').disabled = !this.found.position;
    this.tileSet.value = this.found.table.tiles;
    this.drawSheet();
    this.drawProblems();
  }

  drawSheet() {
    const focused = this.sheet.contains(document.activeElement) ? document.activeElement.dataset.key : null;
    const parts = [];
    if (this.problem) parts.push(el('p', { class: 'problem', role: 'alert' }, this.problem));
    parts.push(...this.found.notes.map((note) => el('p', { class: 'note' }, note)));
    if (this.part === null) parts.push(el('p', { class: 'hint' }, say('tap_part')), this.drawPlayers());
    else if (this.part === 'gods') parts.push(this.drawGods());
    else if (this.part.startsWith('player ')) parts.push(this.drawPlayer(Number(this.part.slice(7))));
    else parts.push(this.drawTile());
    if (this.part !== null) parts.push(el('p', { class: 'tools' }, button(say('done_part'), () => { this.part = null; this.change([]); }, { 'data-key': 'done' })));
    replace(this.sheet, parts);
    if (focused) [...this.sheet.querySelectorAll('[data-key]')].find((each) => each.dataset.key === focused)?.focus({ preventScroll: true });
  }

  // Tiles that the set lacks, each of which can be kept in one's own set.
  drawDescribed() {
    return this.found.described.map((tile) => el('p', { class: 'tools' }, say('not_in_set', { tile: tile.words }),
      button(say('keep_tile'), () => this.learn(tile.tile), { 'data-key': `learn ${tile.tile}` })));
  }

  async learn(tile) {
    try {
      const { draft, told } = await this.app.link.ask('learn', { draft: state.draft, tile });
      await this.change([], draft);
      this.found.notes = [told];
    } catch (error) {
      if (error instanceof Lost) return;
      this.problem = error.message;
    }
    this.drawSheet();
    this.drawProblems();
  }

  drawPlayers() {
    return el('p', { class: 'tools' }, this.found.table.players.map((player, seat) =>
      button(player.name || say('player', { number: seat + 1 }), () => this.choose(`player ${seat + 1}`))),
    button(say('gods'), () => this.choose('gods')));
  }

  drawTile() {
    const { part } = this;
    const isCell = /^[a-c][1-3]$/.test(part);
    const lies = this.lying(part);
    const set = (text) => {
      this.words = '';
      if (/ 1$/.test(part)) this.part = null; // that place is gone; at an end the next tile goes on with the row
      this.change([[part, text]]);
    };
    const filter = el('input', {
      type: 'search', value: this.words, placeholder: say('tile_words'), 'aria-label': say('tile_words'), autocomplete: 'off', 'data-key': 'words',
      oninput: (event) => { this.words = event.target.value; this.offer(); },
      onkeydown: (event) => { if (event.key === 'Enter' && this.offered === this.words && this.found.tiles.length === 1) { event.preventDefault(); set(this.mark + this.found.tiles[0].tile); } },
    });
    this.mark ??= '';
    const face = (mark, text) => button(text, () => { this.mark = this.mark === mark ? '' : mark; this.drawSheet(); },
      { 'aria-pressed': String(this.mark === mark), 'data-key': `face ${mark}` });
    if (isCell) this.mark = '';
    return [
      el('h2', {}, isCell ? part : say('slot', { player: this.nameOf(part), slot: part.slice(2) })),
      lies === null ? null : el('p', { class: 'note lies' }, lies),
      isCell ? this.worshipers(part, this.found.table.worshipers[cellIndex(part)], `${part} worshipers`) : null,
      isCell ? null : el('p', { class: 'options' }, face('wild ', say('wilderness')), face('cancelled ', say('cancelled')),
        button(say('front_unknown'), () => { this.mark = ''; set('wild'); }, { 'data-key': 'unknown' })),
      filter,
      lies !== null && !this.words ? null : el('ul', { class: 'tiles', 'data-words': this.offered ?? '' }, this.offers(set)),
      lies === null ? null : el('p', { class: 'tools' }, button(say('take_away'), () => set('-'), { 'data-key': 'away' })),
      this.own(set),
    ];
  }

  // What lies at a part, as its picture is called; null if nothing does.
  lying(part) {
    const group = this.found.picture.groups.find(({ name }) => partOf(name) === part && !name.includes('-free-'));
    return !group || this.found.missing.includes(part) ? null : group.title.replace(/^[^:]+: | \|.*$/g, '');
  }

  // Made once for each part: what was filled in stays when it is refused.
  own(set) {
    if (this.described?.part !== this.part) {
      const form = ownTile('lay_it', (text) => { const { mark } = this; this.mark = ''; set(mark + text); });
      this.described = { part: this.part, details: el('details', {}, el('summary', {}, say('own_tile')), form) };
    }
    return this.described.details;
  }

  offers(set) {
    // While other words are on their way, what is listed is not what was meant.
    const done = (tile) => { if (this.offered !== this.words) return; const { mark } = this; this.mark = ''; set(mark + tile.tile); };
    if (!this.found.tiles.length) return [el('li', { class: 'note' }, say('no_tile_fits'))];
    return this.found.tiles.map((tile) => el('li', {}, tileButton(tile, () => done(tile))));
  }

  async offer() {
    const { part, words } = this;
    try {
      const found = await this.app.link.ask('edit', { draft: state.draft, part, words, sheet: this.sheetName() });
      if (this.part !== part || this.words !== words) return;
      this.found.tiles = found.tiles;
      this.offered = words;
      this.drawSheet();
    } catch { /* the next key asks again */ }
  }

  worshipers(name, now, part) {
    const text = spelled(now === '-' ? '' : now);
    const add = (colour) => this.change((table) => [[part, held(table, part) + colour]]);
    const less = (colour) => this.change((table) => [[part, held(table, part).replace(colour, '') || '-']]);
    return el('div', { class: 'worshipers', role: 'group', 'aria-label': say('worshipers') },
      el('p', { class: 'note' }, say('worshipers_now'), ' ', discs(text || '–')),
      el('p', { class: 'options' }, COLOURS.map((colour) => button(disc(colour), () => add(colour),
        { 'aria-label': say('one_more', { colour: say(`colour_${colour}`) }), 'data-key': `more ${colour}` }))),
      text ? el('p', { class: 'options' }, COLOURS.filter((colour) => text.includes(colour)).map((colour) => button(['−', disc(colour)], () => less(colour),
        { 'aria-label': say('one_less', { colour: say(`colour_${colour}`) }), 'data-key': `less ${colour}` }))) : null);
  }

  drawGods() {
    const now = this.found.table.gods;
    const toggle = (god) => this.change(({ gods }) => [['gods', (gods.includes(god) ? gods.filter((each) => each !== god) : [...gods, god]).join(' ') || 'none']]);
    return [el('h2', {}, say('gods_up')), el('p', { class: 'options' }, this.app.gods.map((god) => button(say(`god_${god}`), () => toggle(god),
      { 'aria-pressed': String(now.includes(god)), 'data-key': `god ${god}` })))];
  }

  drawPlayer(seat) {
    const player = this.found.table.players[seat - 1];
    const name = el('input', { type: 'text', value: player.name, maxlength: 60, autocomplete: 'off', 'data-key': 'name',
      onchange: (event) => this.change([[`${seat} name`, event.target.value]]) });
    const god = el('select', { 'data-key': 'god', onchange: (event) => this.change([[`${seat} god`, event.target.value]]) },
      [['none', say('no_god')], ...this.app.gods.map((each) => [each, say(`god_${each}`)]), ['death cancelled', say('death_cancelled')]]
        .map(([value, text]) => el('option', { value, selected: value === player.god }, text)));
    return [
      el('h2', {}, player.name || say('player', { number: seat })),
      el('label', {}, say('name'), name),
      el('label', {}, say('god'), god),
      this.worshipers('realm', player.realm, `${seat} realm`),
    ];
  }

  nameOf(part) { return this.found.table.players[Number(part[0]) - 1]?.name || say('player', { number: part[0] }); }

  drawProblems() {
    const { found } = this;
    const missing = found.missing.length ? el('p', {}, say('missing', { cells: found.missing.join(', ') })) : null;
    const here = found.problems.map((each) => {
      const part = placeToPart(each.place);
      // A key of a file says nothing here; what is wrong with the whole table speaks for itself.
      const where = isOpen(part) ? '' : /^[a-c][1-3]$/.test(part) ? part : each.where;
      const text = where ? `${where}: ${each.message}` : each.message;
      const kind = isOpen(part) ? 'open' : 'problem';
      return el('li', {}, part ? button(text, () => this.choose(part), { class: kind }) : el('span', { class: kind }, text));
    });
    replace(this.problems, el('h2', {}, say(found.position ? 'fine' : 'not_yet')), missing, el('ul', {}, here), this.drawDescribed());
  }

  analyse() {
    this.app.analyse(this.found.position);
  }

  track() { this.app.track(this.found.position); }
}

// The part of the table that a group of the picture shows.
function partOf(name) {
  let match = /^(?:centre|worshipers)-([a-c][1-3])$/.exec(name);
  if (match) return match[1];
  match = /^player-(\d)-(?:free-)?(1|1L|1R|\d\.\d)$/.exec(name);
  if (match) return `${match[1]} ${match[2]}`;
  match = /^player-(\d)$/.exec(name);
  if (match) return `player ${match[1]}`;
  return name === 'gods' || name.startsWith('god-') ? 'gods' : null;
}

// The part that a problem's place speaks of.
function placeToPart(at) {
  let match = /^centre\.([a-c][1-3])$/.exec(at);
  if (match) return match[1];
  match = /^player (\d)(?: \([^)]*\))?, row (\d), column (\d)$/.exec(at);
  if (match) return `${match[1]} ${match[2]}.${match[3]}`;
  match = /^player (\d)/.exec(at);
  if (match) return `player ${match[1]}`;
  return at === 'gods' ? 'gods' : null;
}

// What does not add up while a table is laid, such as gods and turns: it is told, without alarm.
const isOpen = (part) => part === null || part === 'gods';

// Whether a tile can lie there.
function isPlace(part) { return /^[a-c][1-3]$|^[1-4] (1|1L|1R|[1-4]\.[1-5])$/.test(part); }

// The worshipers of a part, letter by letter.
function held(table, part) {
  const now = part.endsWith(' realm') ? table.players[Number(part[0]) - 1].realm : table.worshipers[cellIndex(part.slice(0, 2))];
  return spelled(now === '-' ? '' : now);
}

const cellIndex = (cell) => 3 * (3 - Number(cell[1])) + 'abc'.indexOf(cell[0]);
