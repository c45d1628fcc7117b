// What survives a reload: one object, kept by the browser. What cannot be kept is only lost, not an error.

const KEY = 'orbis';

export const state = {
  lang: null,
  view: 'analyse',
  hide: false,
  draft: null,
  nodes: [],
  at: 0,
  file: null,
  name: null,
  ...saved(),
};

function saved() {
  try {
    return JSON.parse(localStorage.getItem(KEY)) || {};
  } catch {
    return {};
  }
}

export function keep() {
  try {
    localStorage.setItem(KEY, JSON.stringify(state));
  } catch { /* full, or forbidden */ }
}
