// Analyse: any position, its advice, and moves tried on it, with every way that was tried kept.

import { button, download, el, replace } from './dom.js';
import { factsOf } from './position.js';
import { keep, state } from './store.js';
import { Table } from './table.js';
import { say, spoken } from './words.js';

export class Analyse {
  constructor(app) {
    this.app = app;
    this.table = new Table(app.link, {
      play: (move, drawn, words) => this.play(move, drawn, words),
      named: () => true,
      random: () => true,
      unseen: () => false,
      hidden: () => state.hide,
      aside: () => [
        button('↶', () => this.go(this.node?.parent ?? null), { 'aria-label': say('undo'), title: say('undo'), 'data-key': 'undo', disabled: this.node?.parent == null }),
        button('↷', () => this.go(this.node?.last ?? null), { 'aria-label': say('redo'), title: say('redo'), 'data-key': 'redo', disabled: this.node?.last == null }),
      ],
    });
    this.line = el('nav', { class: 'line', 'aria-label': say('line') });
    this.problem = el('p', { class: 'problem', role: 'alert', hidden: true });
  }

  open(into) {
    const hide = el('input', {
      type: 'checkbox', checked: state.hide,
      onchange: (event) => { state.hide = event.target.checked; keep(); this.table.advice.draw(); this.table.update(); },
    });
    const tools = el('p', { class: 'tools' },
      button(say('edit_this'), () => this.edit()),
      el('details', {}, el('summary', {}, say('export')), el('p', { class: 'tools' },
        ['toml', 'oneline', 'json', 'svg', 'png'].map((form) => button(say(`as_${form}`), () => this.save(form))))),
      el('label', { class: 'check' }, hide, say('hide')));
    replace(into, this.problem, el('div', { class: 'two' }, this.table.board,
      el('div', { class: 'side' }, tools, this.table.bar, this.table.advice.place, this.line)));
    this.show();
  }

  close() { this.table.leave(); }

  get node() { return state.nodes[state.at] ?? null; }

  // Begins anew from a position; every way tried before is forgotten.
  begin(position) {
    if (this.node?.position === position) return;
    state.nodes = [{ position, parent: null, last: null, move: null }];
    state.at = 0;
    keep();
  }

  async show() {
    const { node } = this;
    if (!node) return;
    this.drawLine();
    history.replaceState(null, '', `#${node.position}`);
    const { position } = node;
    if (this.table.source?.position !== position) this.table.leave();
    this.problem.hidden = true;
    try {
      await this.table.show({ position, advise: true, enter: true }, this.app.link.ask('show', { position }).then(factsOf));
    } catch (error) {
      if (this.node?.position === position) this.app.fail(error, this.problem);
    }
  }

  async play(move, drawn, words) {
    const parent = state.at;
    const fields = { position: this.node.position, move: move.text, form: 'oneline' };
    if (drawn !== null) fields.draw = drawn;
    const position = await this.app.link.ask('apply', fields);
    if (state.at !== parent) return;
    let next = state.nodes.findIndex((node) => node.parent === parent && node.position === position);
    if (next < 0) {
      state.nodes.push({ position, parent, last: null, move: move.text, words, drawn });
      next = state.nodes.length - 1;
    }
    state.nodes[parent].last = next;
    this.go(next);
  }

  go(to) {
    if (to === null || to === undefined || !state.nodes[to]) return;
    state.at = to;
    const { parent } = state.nodes[to];
    if (parent !== null) state.nodes[parent].last = to;
    keep();
    this.show();
  }

  // The way to here, and every way on that was tried.
  drawLine() {
    if (state.nodes.length < 2) { replace(this.line); return; }
    const path = [];
    for (let at = state.at; at !== null; at = state.nodes[at].parent) path.unshift(at);
    const step = (at) => button(state.nodes[at].move ?? say('beginning'), () => this.go(at),
      { 'aria-current': at === state.at ? 'step' : null });
    const on = state.nodes.map((node, at) => at).filter((at) => state.nodes[at].parent === state.at);
    replace(this.line, el('h2', {}, say('line')), el('ol', { start: 0 }, path.map((at) => el('li', {}, step(at)))),
      on.length ? [el('h3', {}, say('tried')), el('ul', {}, on.map((at) => el('li', {}, step(at))))] : null);
  }

  edit() {
    state.draft = this.node.position;
    keep();
    this.app.go('edit');
  }

  async save(form) {
    const { position } = this.node;
    try {
      if (form === 'svg' || form === 'png') {
        const svg = await this.app.link.ask('draw', { position, form: 'svg' });
        if (form === 'svg') download('orbis.svg', 'image/svg+xml', svg);
        else download('orbis.png', 'image/png', await pixels(svg));
        return;
      }
      const text = await this.app.link.ask('show', { position, form });
      const name = { toml: 'orbis.toml', oneline: 'orbis.txt', json: 'orbis.json' }[form];
      download(name, 'text/plain', typeof text === 'string' ? text : JSON.stringify(text, null, 2));
    } catch (error) {
      this.app.fail(error, this.problem);
    }
  }
}

// The picture in pixels, two for each unit.
async function pixels(svg) {
  const address = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
  try {
    const image = new Image();
    image.lang = spoken();
    await new Promise((resolve, reject) => { image.onload = resolve; image.onerror = reject; image.src = address; });
    const canvas = el('canvas', { width: 2 * image.naturalWidth, height: 2 * image.naturalHeight });
    canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));
  } finally {
    URL.revokeObjectURL(address);
  }
}
