// What the page has to know of a position besides its picture.

import { say } from './words.js';

const TURNS = 15;

export function factsOf(json) {
  const players = json.players.length;
  const played = json.players.reduce((sum, player) => sum + (player.god ? 1 : 0)
    + player.rows.flat().filter((slot) => slot !== null).length, 0);
  return {
    names: json.players.map((player, seat) => player.name || say('player', { number: seat + 1 })),
    mover: json.to_move,
    left: TURNS * players - played,
    gods: json.to_move && !json.players[json.to_move - 1].god ? json.gods : [],
    over: json.to_move === null,
  };
}
