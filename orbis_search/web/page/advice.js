// Advice on one position at a time. Whatever arrives for another one is dropped.

import { button, el, isNarrow, replace } from './dom.js';
import { Refused } from './link.js';
import { chance, fraction, number, percent, say } from './words.js';

const SECONDS = 8, PROOF_SECONDS = 20, COMPARE_SECONDS = 3;
const IDEAS = 40, MEASURED = 8; // every tile has a figure; the best are sampled once more, and know theirs better
const shown = () => (isNarrow() ? 3 : 8); // a phone has the board below them
const NEAR_THE_END = { 2: 6, 3: 5, 4: 5 }; // turns left from which a proof is tried

export class Advice {
  // `hooks`: preview(text or null), choose(text), changed() when there is something new, hidden() while it is to be kept back,
  // ready() once its position is drawn
  constructor(link, hooks) {
    this.link = link;
    this.hooks = hooks;
    this.place = el('section', { class: 'advice', 'aria-label': say('advice') });
    this.running = null;
    this.rows = null;
    this.clear();
  }

  clear() {
    this.halt();
    this.position = null;
    this.found = null;
    this.solution = null;
    this.problem = '';
    this.compared = null;
    this.all = false;
    this.draw();
  }

  halt() {
    if (this.running !== null) this.link.cancel(this.running);
    this.running = null;
  }

  // The answer to a request that takes the place of the one before it. Null once another has taken its place, even one
  // on the same position; `hear` gets reports until then.
  async ask(action, fields, hear) {
    this.halt();
    let id = null;
    const current = () => this.running === id;
    const asked = this.link.ask(action, { position: this.position, report_every: 0.2, ...fields }, (result) => { if (current()) hear(result); });
    this.running = id = asked.id;
    try {
      const found = await asked;
      if (!current() || !found) return null;
      hear(found);
      return found;
    } catch (error) {
      if (current() && error instanceof Refused) { this.problem = error.message; this.draw(); }
      return null;
    } finally {
      if (current()) this.running = null;
    }
  }

  // A new position; the old one's advice is gone at once. `facts`, {names, left}, may still be on their way.
  start(position, facts) {
    this.clear();
    this.position = position;
    this.facts = facts;
    this.think(SECONDS, false);
  }

  hear(result) {
    this.found = result;
    this.draw();
    this.hooks.changed();
  }

  async think(seconds, prove) {
    const { position } = this;
    const found = await this.ask('advise', { seconds, prove, top: IDEAS, measure: MEASURED }, (result) => this.hear(result));
    if (!found || prove || this.position !== position || this.running !== null) return;
    if (this.facts.left <= (NEAR_THE_END[this.facts.names.length] ?? 0)) await this.think(PROOF_SECONDS, true);
  }

  // What one move is worth beside the best one, and why. The search on the position makes way for it.
  async compare(text) {
    if (this.position === null) return;
    this.compared = { text, result: null };
    this.hooks.changed();
    const fields = { seconds: COMPARE_SECONDS, keep: [text], why: [text], top: IDEAS, measure: MEASURED, prove: false };
    await this.ask('advise', fields, (result) => {
      if (this.compared?.text === text) this.compared.result = result;
      this.hear(result); // so that the list says the same
    });
  }

  forget() { this.compared = null; }

  // Exact values; with those after each draw for one move, by default the one that looks best.
  async solve(text = null) {
    const { position } = this;
    this.solution = 'running';
    this.draw();
    const first = text ?? this.found?.ideas[0]?.best.move.text ?? null;
    const found = await this.ask('solve', { seconds: 60, top: 8, draws_of: first, report_every: 0.5 }, (result) => { this.solution = result; this.draw(); });
    if (!found && this.position === position && this.solution === 'running') { this.solution = null; this.draw(); }
  }

  // What taking the tile of a cell, or a god, is worth at best.
  worth(of) {
    if (!this.found || this.hooks.hidden()) return null;
    const idea = this.found.ideas.find((each) => (each.best.move.cell ?? each.best.move.god) === of);
    return idea && (idea.best.measured || idea.best.visits > 50) ? idea.best.win : null;
  }

  // Rows stay the elements they are while their move is listed: one that is replaced between a press and its end would
  // not hear it.
  draw() {
    const is = this.problem ? 'problem' : this.position === null ? 'nothing' : this.hooks.hidden() ? 'hidden' : this.found && this.hooks.ready() ? 'found' : 'thinking';
    this.place.dataset.position = is === 'found' ? this.position : '';
    // On a phone the board lies below: its place must not depend on how much is said here.
    this.place.classList.toggle('open', is === 'thinking' || is === 'found');
    this.place.classList.toggle('all', this.all);
    if (is !== 'found') {
      this.rows = null;
      const told = { problem: this.problem, hidden: say('hidden'), thinking: say('thinking') }[is];
      replace(this.place, told ? el('p', is === 'problem' ? { class: 'problem', role: 'alert' } : { class: 'note' }, told) : null);
      return;
    }
    if (!this.rows) {
      this.rows = new Map();
      this.head = el('div', { class: 'chances' });
      this.count = el('p', { class: 'note' });
      this.list = el('ol', { class: 'ideas', onmouseleave: () => this.hooks.preview(null) });
      this.more = button('', () => { this.all = !this.all; this.draw(); });
      this.longer = button(say('longer'), () => this.think(30, false));
      this.prover = button(say('prove'), () => this.solve());
      this.proof = el('div');
      replace(this.place, this.head, this.count, this.list, el('p', { class: 'tools' }, this.more, this.longer, this.prover), this.proof);
    }
    replace(this.head, this.bar());
    const figures = { number: number(this.found.simulations, 0) };
    this.count.textContent = say(this.found.stopped === 'running' ? 'so_far' : 'done', figures);
    const ideas = this.found.ideas.slice(0, this.all ? undefined : shown());
    ideas.forEach((idea, at) => {
      const row = this.row(idea);
      if (this.list.children[at] !== row) this.list.insertBefore(row, this.list.children[at] ?? null);
    });
    while (this.list.children.length > ideas.length) this.list.lastChild.remove();
    this.more.hidden = this.found.ideas.length <= shown();
    this.more.textContent = say(this.all ? 'fewer' : 'more_ideas');
    this.longer.disabled = this.found.stopped === 'running';
    this.prover.hidden = this.facts.left > 8;
    this.prover.disabled = this.solution === 'running';
    replace(this.proof, this.solved());
  }

  bar() {
    const shares = this.found.ideas[0].best.shares;
    const segments = shares.map((share, player) => {
      const width = Math.max(0, Math.round(1000 * share)) / 10;
      const svg = el('span', { class: `share p${player + 1}`, title: this.facts.names[player] });
      svg.style.flexGrow = String(width);
      return svg;
    });
    const told = shares.map((share, player) => el('li', {}, el('span', { class: `dot p${player + 1}` }),
      `${this.facts.names[player]} ${percent(share)}`));
    return [el('div', { class: 'bar', 'aria-hidden': 'true' }, segments), el('ul', { class: 'legend', 'aria-label': say('chances') }, told)];
  }

  row(idea) {
    const { best } = idea;
    const text = best.move.text;
    if (!this.rows.has(text)) {
      const show = () => this.hooks.preview(text);
      const cells = ['rank', 'what', 'worth', 'kind'].map((name) => el('span', { class: name }));
      this.rows.set(text, el('li', {}, el('button', {
        type: 'button', 'data-move': text, class: 'idea', onclick: () => this.hooks.choose(text), onmouseenter: show, onfocus: show,
      }, cells)));
    }
    const row = this.rows.get(text);
    const told = [String(idea.rank), idea.words, chance(best), say(best.proved ? 'proved' : 'sampled')];
    told.forEach((each, at) => { row.firstChild.children[at].textContent = each; });
    return row;
  }

  solved() {
    if (!this.solution) return null;
    if (this.solution === 'running') return el('p', { class: 'note' }, say('proving'));
    const { solution } = this;
    const value = (each) => each.proved
      ? `${each.low} (${percent(fraction(each.low))})`
      : `${percent(fraction(each.low))} – ${percent(fraction(each.high))}`;
    const moves = solution.moves.map((each) => {
      const { text } = each.move, show = () => this.hooks.preview(text);
      return el('li', {}, button([el('code', {}, text), ` ${value(each)}`], () => this.solve(text), { onmouseenter: show, onfocus: show, 'aria-current': text === solution.chosen?.move.text ? 'true' : null }));
    });
    const draws = (solution.draws ?? []).map((each) => el('li', {}, `${each.tile}: ${value(each)}`));
    return el('section', { class: 'proof', 'aria-label': say('proof') },
      el('h2', {}, say(solution.finished ? 'proof_done' : 'proof_open')),
      el('ol', { onmouseleave: () => this.hooks.preview(null) }, moves),
      draws.length ? [el('h3', {}, say('after_draws', { move: solution.chosen.move.text })), el('ul', {}, draws)] : null);
  }

  // The chosen move beside the best one, in words.
  verdict() {
    const result = this.compared?.result;
    if (!result) return el('p', { class: 'note' }, say('comparing'));
    const all = result.ideas.flatMap((idea) => [idea.best, ...idea.variants]);
    const mine = all.find((each) => each.move.text === this.compared.text);
    const best = result.ideas[0].best;
    if (!mine) return el('p', { class: 'note' }, say('comparing'));
    const same = best.move.text === mine.move.text;
    const sentence = same ? say('yours_best', { chance: chance(mine) })
      : say('yours', { chance: chance(mine), best: chance(best), move: result.ideas[0].words });
    const reasons = !same && result.why ? result.why.reasons : [];
    return el('div', { class: same ? 'verdict good' : 'verdict' },
      el('p', {}, sentence),
      reasons.length ? [el('p', { class: 'note' }, say('because')), el('ul', {}, reasons.map((each) => el('li', {}, each)))] : null);
  }
}
