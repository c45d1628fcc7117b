// Worshipers and tiles as people see them in lists.

import { el } from './dom.js';
import { say } from './words.js';

export const COLOURS = ['r', 'g', 'b', 'y', 'w'];
const ANY = { a: '?' }; // drawn as on the tiles

// `r2g` letter by letter.
export function spelled(worshipers) {
  return worshipers.replace(/([rgbywa])(\d+)/g, (_, colour, count) => colour.repeat(Number(count)));
}

export function disc(colour) { return el('span', { class: `disc ${colour}`, 'aria-hidden': 'true' }, ANY[colour] ?? colour.toUpperCase()); }

export function discs(worshipers) {
  const all = spelled(worshipers).split('').filter((letter) => COLOURS.includes(letter) || letter in ANY);
  return all.length ? all.map(disc) : [worshipers];
}

// `b2:g a1:g`, where worshipers lie and which.
export function places(label) {
  return label.split(' ').map((each) => {
    const [cell, worshipers] = each.split(':');
    return el('span', { class: 'where' }, `${cell} `, discs(worshipers ?? ''));
  });
}

// A tile in a list, with what is printed on it.
export function tileButton(tile, onclick) {
  const parts = [tile.effect, tile.cost === 'free' ? say('free') : discs(tile.cost), say('points_told', { points: tile.points }),
    tile.mystic === null ? null : say('mystic_told', { value: tile.mystic })].filter(Boolean);
  return el('button', { type: 'button', class: 'tile', onclick, 'aria-label': `${tile.words}${tile.tile.includes(' ') ? '' : `, ${tile.tile}`}` },
    disc({ red: 'r', green: 'g', blue: 'b', yellow: 'y', white: 'w' }[tile.colour]),
    el('span', { class: 'level', 'aria-hidden': 'true' }, 'I'.repeat(tile.level)),
    el('span', { class: 'printed', 'aria-hidden': 'true' }, parts.map((part, at) => [at ? ' · ' : '', el('span', {}, part)])),
    tile.tile.includes(' ') ? null : el('span', { class: 'note' }, tile.tile));
}
