// Review: every turn of a game judged. The graph, one click to each mistake, the better move and why; or try again.

import { button, el, isNarrow, replace } from './dom.js';
import { shape } from './picture.js';
import { factsOf } from './position.js';
import { state } from './store.js';
import { Table } from './table.js';
import { fraction, number, percent, say } from './words.js';

const ERRORS = ['inaccuracy', 'mistake', 'blunder'];
const SIMULATIONS = 1500, WHY_SECONDS = 2;
const HEIGHT = 200, LEFT = 44, BOTTOM = 24;
const graphWidth = () => (isNarrow() ? 374 : 640); // so that its figures are as large as any

export class Review {
  constructor(app) {
    this.app = app;
    this.found = null;
    this.file = null;
    this.trying = null;
    this.table = new Table(app.link, {
      play: (move) => this.judge(move),
      named: () => false,
      random: () => false,
      unseen: () => false,
      hidden: () => true,
    });
    this.problem = el('p', { class: 'problem', role: 'alert', hidden: true });
    this.told = el('section', { class: 'told', 'aria-label': say('turn_told'), 'aria-live': 'polite' });
  }

  open(into) {
    this.into = into;
    if (!state.file) { replace(into, el('p', { class: 'hint' }, say('choose_game')), button(say('games'), () => this.app.go('games'))); return; }
    this.begin();
  }

  // Judges the game, unless that was done and nobody has played on since.
  async begin() {
    const { file } = state;
    this.problem.hidden = true;
    if (this.running) this.app.link.cancel(this.running);
    const progress = el('progress', { max: 1, value: 0, 'aria-label': say('judging') });
    replace(this.into, this.problem, el('p', { class: 'hint' }, say('judging')), progress);
    try {
      const game = await this.app.link.ask('game', { file });
      if (!this.found || this.file !== file || this.game.text !== game.text) {
        const asked = this.app.link.ask('review', { file, simulations: SIMULATIONS }, ({ judged, turns }) => { progress.max = turns; progress.value = judged; });
        this.running = asked.id;
        const found = await asked;
        if (this.running !== asked.id || !found) return;
        Object.assign(this, { found, file, game, at: null, running: null });
      }
      if (state.view === 'review' && state.file === file) this.layOut();
    } catch (error) {
      this.app.fail(error, this.problem);
    }
  }

  layOut() {
    const names = this.game.players;
    const errors = names.map((name, seat) => {
      const turns = this.found.turns.filter((turn) => turn.player === seat + 1 && ERRORS.includes(turn.class));
      return turns.length ? el('li', {}, `${name}: `, turns.map((turn) => button(`${turn.turn}: ${say(turn.class)}`, () => this.visit(turn.turn),
        { class: turn.class, 'data-turn': turn.turn }))) : null;
    });
    const rows = ['luck', 'own', 'others', 'result'].map((key) => el('tr', {}, el('th', { scope: 'row' }, say(`account_${key}`)),
      this.found.players.map((player) => el('td', {}, `${number(100 * fraction(player[key]))}`))));
    const accuracy = el('tr', {}, el('th', { scope: 'row' }, say('accuracy')),
      this.found.players.map((player) => el('td', {}, player.accuracy === null ? '–' : number(player.accuracy))));
    replace(this.into, this.problem,
      el('h2', {}, say('review_of', { file: this.file })),
      el('div', { class: 'course' }, el('div', {}, el('div', { class: 'graph' }, this.graph()),
        el('ul', { class: 'legend' }, names.map((name, seat) => el('li', {}, el('span', { class: `dot p${seat + 1}` }), name)))),
      el('section', { 'aria-label': say('errors') }, el('h3', {}, say('errors')), errors.some(Boolean) ? el('ul', { class: 'errors' }, errors) : el('p', { class: 'note' }, say('no_errors')))),
      el('div', { class: 'two' }, this.table.board, el('div', { class: 'side' }, this.told, this.table.bar,
        el('p', { class: 'tools' },
          button('←', () => this.step(-1), { 'aria-label': say('turn_before') }), button('→', () => this.step(1), { 'aria-label': say('turn_after') }),
          button(say('analyse_this'), () => this.analyse()), button(say('to_game'), () => this.app.go('games'))))),
      el('h3', {}, say('luck_and_skill')),
      el('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': say('luck_and_skill') },
        el('table', {}, el('thead', {}, el('tr', {}, el('td'), names.map((name) => el('th', { scope: 'col' }, name)))), el('tbody', {}, rows, accuracy))));
    const first = this.found.turns.find((turn) => ERRORS.includes(turn.class)) ?? this.found.turns[0];
    if (first) this.visit(this.at ?? first.turn);
  }

  graph() {
    const { turns } = this.found;
    const width = graphWidth();
    const step = (width - LEFT - 10) / Math.max(1, turns.length);
    const y = (share) => 10 + (1 - share) * (HEIGHT - BOTTOM - 10);
    const svg = shape('svg', { viewBox: `0 0 ${width} ${HEIGHT}`, role: 'group', 'aria-label': say('graph') });
    for (const share of [0, 0.5, 1]) {
      svg.append(shape('line', { x1: LEFT, x2: width - 10, y1: y(share), y2: y(share), class: 'grid' }),
        shape('text', { x: LEFT - 6, y: y(share) + 4, 'text-anchor': 'end', class: 'axis' }, percent(share, 0)));
    }
    this.game.players.forEach((_, seat) => {
      const values = [this.found.start, ...turns.map((turn) => turn.then)].map((value) => fraction(value.shares[seat]));
      svg.append(shape('polyline', { points: values.map((value, at) => `${LEFT + at * step},${y(value)}`).join(' '), class: `curve p${seat + 1}` }));
    });
    turns.forEach((turn, at) => {
      const wrong = ERRORS.includes(turn.class);
      const group = shape('g', { class: wrong ? 'visit error' : 'visit', role: 'button', tabindex: wrong ? '0' : '-1', 'aria-label': `${turn.turn}: ${say(turn.class)}` });
      group.append(shape('rect', { x: LEFT + at * step, y: 10, width: step, height: HEIGHT - BOTTOM - 10, class: 'hit' }));
      if (wrong) group.append(shape('path', { d: cross(LEFT + at * step, y(fraction(turn.before[turn.player - 1]))), class: 'cross' }));
      group.addEventListener('click', () => this.visit(turn.turn));
      group.addEventListener('keydown', (event) => { if (event.key === 'Enter' || event.key === ' ') { event.preventDefault(); this.visit(turn.turn); } });
      svg.append(group);
    });
    return svg;
  }

  async analyse() {
    const position = await this.before(this.at);
    if (position) this.app.analyse(position);
  }

  step(by) {
    const at = this.found.turns.findIndex((turn) => turn.turn === this.at) + by;
    if (this.found.turns[at]) this.visit(this.found.turns[at].turn);
  }

  // Shows a turn as it was played, with the better move; or, to try again, as it was before.
  visit(turn, again = false) { return this.go(turn, again).catch((error) => this.app.fail(error, this.problem)); }

  async go(turn, again) {
    this.at = turn;
    const judged = this.found.turns.find((each) => each.turn === turn);
    this.trying = again ? judged : null;
    const position = await this.before(turn);
    if (this.at !== turn || position === null) return;
    const facts = factsOf(await this.app.link.ask('show', { position }));
    if (this.at !== turn) return;
    const wrong = ERRORS.includes(judged.class);
    if (wrong) judged.better ??= (await this.app.link.ask('enter', { position, answers: [judged.best.text] })).words;
    if (this.at !== turn) return;
    const marks = again ? null : { move: judged.move.text, better: wrong ? judged.best.text : null };
    this.table.source = null;
    this.table.show({ position, marks, advise: false, enter: again }, { ...facts, names: this.game.players });
    this.tell(judged, wrong, again);
    if (wrong && !again && !judged.reasons.length) this.explain(judged, position);
  }

  async before(turn) {
    return this.app.link.ask('show', { position: this.game.text, turn, form: 'oneline' }).catch(() => null);
  }

  tell(judged, wrong, again, reasons = judged.reasons) {
    const name = this.game.players[judged.player - 1];
    const played = this.game.turns.find((turn) => turn.number === judged.turn);
    const parts = [el('h3', {}, say('turn_of', { turn: judged.turn, name }))];
    if (again) parts.push(el('p', { class: 'hint' }, say('find_better')), el('p', { class: 'tools' }, button(say('show_better'), () => this.visit(judged.turn))));
    else {
      parts.push(el('p', {}, el('strong', { class: judged.class }, say(judged.class)), ` ${played.words}`));
      if (wrong) {
        parts.push(el('p', { 'data-better': judged.best.text }, say('gave_away', { percent: percent(fraction(judged.given)) }), ' ', say('better_was', { move: judged.better })));
        if (reasons.length) parts.push(el('ul', {}, reasons.map((each) => el('li', {}, each))));
        parts.push(el('p', { class: 'tools' }, button(say('try_again'), () => this.visit(judged.turn, true), { id: 'try-again' })));
      }
      if (judged.drawn) parts.push(el('p', { class: 'note' }, say('luck_was', { tile: judged.drawn, luck: percent(fraction(judged.luck[judged.player - 1])) })));
    }
    replace(this.told, parts);
  }

  async explain(judged, position) {
    const result = await this.app.link.ask('advise', { position, seconds: WHY_SECONDS, keep: [judged.best.text, judged.move.text], why: [judged.best.text, judged.move.text], top: 1, prove: false })
      .catch(() => null);
    if (result?.why && this.at === judged.turn && this.trying === null) this.tell(judged, true, false, result.why.reasons);
  }

  // Whether a move tried again is as good as the best.
  async judge(move) {
    const judged = this.trying;
    const position = await this.before(judged.turn);
    replace(this.told, el('p', { class: 'note' }, say('comparing')));
    const result = await this.app.link.ask('advise', { position, seconds: WHY_SECONDS, keep: [judged.best.text, move.text], why: null, top: null, prove: false });
    if (this.trying !== judged) return;
    const all = result.ideas.flatMap((idea) => [idea.best, ...idea.variants]);
    const value = (text) => all.find((each) => each.move.text === text);
    const mine = value(move.text), best = value(judged.best.text);
    const good = move.text === judged.best.text || (mine && best && mine.win >= best.win - Math.max(0.01, (best.high - best.low) / 2));
    replace(this.told, el('p', { class: good ? 'verdict good' : 'verdict', id: 'tried' },
      say(good ? 'as_good' : 'not_as_good', { mine: percent(mine?.win ?? 0), best: percent(best?.win ?? 0) })),
    el('p', { class: 'tools' }, good ? null : button(say('try_again'), () => this.visit(judged.turn, true)), button(say('show_better'), () => this.visit(judged.turn))));
  }
}

function cross(x, y) { return `M${x - 5} ${y - 5}L${x + 5} ${y + 5}M${x - 5} ${y + 5}L${x + 5} ${y - 5}`; }
