// The page: which view is open, in which language, and the connection that all of them share.

import { Analyse } from './analyse.js';
import { button, el, replace } from './dom.js';
import { Edit } from './edit.js';
import { Games } from './games.js';
import { Link, Lost, Refused } from './link.js';
import { Review } from './review.js';
import { keep, state } from './store.js';
import { say, speak, spoken } from './words.js';

const LANGUAGES = { en: 'English', de: 'Deutsch', pl: 'Polski', ru: 'Русский' };
const VIEWS = { analyse: Analyse, edit: Edit, games: Games, review: Review };
const main = document.getElementById('main');
const head = document.getElementById('head');
const said = document.getElementById('said');

const app = {
  views: {},
  link: null,

  go(view) {
    this.shown?.close?.(); // what nobody looks at needs no search
    state.view = view;
    keep();
    drawHead();
    this.shown = this.views[view] ??= new VIEWS[view](this);
    this.shown.open(main);
  },

  analyse(position) {
    this.views.analyse ??= new Analyse(this);
    this.views.analyse.begin(position);
    if (this.shown === this.views.analyse) this.shown.show();
    else this.go('analyse');
  },

  track(position) {
    state.file = null;
    this.go('games');
    this.views.games.begin({ start: position });
  },

  review(file) {
    state.file = file;
    this.go('review');
  },

  fail(error, place) {
    if (error instanceof Lost) return;
    const text = error instanceof Refused ? [error.place, error.message].filter(Boolean).join(': ') : String(error);
    place.textContent = text;
    place.hidden = false;
  },
};

function drawHead() {
  const tabs = Object.keys(VIEWS).map((view) => button(say(view), () => app.go(view), { 'aria-current': view === state.view ? 'page' : null }));
  const languages = el('select', { 'aria-label': say('language'), onchange: (event) => change(event.target.value) },
    Object.entries(LANGUAGES).map(([code, name]) => el('option', { value: code, selected: code === spoken(), lang: code }, name)));
  replace(head, el('h1', {}, 'Orbis'), el('nav', { 'aria-label': say('views') }, tabs), languages);
  document.title = `Orbis · ${say(state.view)}`;
}

async function change(language) {
  await speak(language);
  state.lang = language;
  keep();
  app.views = {};
  app.go(state.view);
  head.querySelector('select').focus();
}

function connected(is) {
  document.body.classList.toggle('lost', !is);
  said.textContent = is ? '' : say('lost');
  if (is && app.views[state.view] && connected.before === false) { app.views = {}; app.go(state.view); }
  connected.before = is;
}

function positionInAddress() {
  try {
    const text = decodeURIComponent(location.hash.slice(1));
    return /^o\d+:/i.test(text) ? text : null;
  } catch {
    return null; // not an address that this page makes
  }
}

async function begin() {
  const start = await (await fetch('start.json')).json();
  Object.assign(app, { example: start.example, gods: start.gods, levels: start.levels });
  await speak(LANGUAGES[state.lang] ? state.lang : start.language);
  const socket = new URL('engine', location.href);
  socket.protocol = socket.protocol === 'https:' ? 'wss:' : 'ws:';
  socket.hash = '';
  app.link = new Link(socket.href, { language: spoken, changed: connected });
  // What the command line names comes first, once; then what the address says, what was here before, the example.
  const named = start.game ?? start.position;
  const isNew = named !== null && sessionStorage.getItem('named') !== named;
  sessionStorage.setItem('named', named ?? '');
  const position = positionInAddress() ?? (isNew ? start.position : null) ?? (state.nodes.length ? null : start.example);
  if (position && state.nodes[state.at]?.position !== position) {
    state.nodes = [{ position, parent: null, last: null, move: null }];
    state.at = 0;
  }
  if (isNew && start.game) { state.view = 'games'; state.file = start.game; }
  else if (isNew) state.view = 'analyse';
  addEventListener('hashchange', () => { const position = positionInAddress(); if (position) app.analyse(position); });
  app.go(VIEWS[state.view] ? state.view : 'analyse');
}

begin();
