// The conversation with the engine: requests with ids, answers by id, and a new connection when one is lost.

export class Refused extends Error {
  constructor(answer) {
    super(answer.error);
    this.field = answer.field;
    this.place = answer.place;
    this.problems = answer.problems || [];
  }
}

export class Lost extends Error {}

export class Link {
  constructor(address, { language, changed }) {
    this.address = address;
    this.language = language; // () => that of the answers
    this.changed = changed; // told when the connection is lost or there again
    this.waiting = new Map();
    this.count = 0;
    this.ready = null;
    this.pause = 250;
    this.connect();
  }

  connect() {
    this.ready = new Promise((resolve) => {
      this.socket = new WebSocket(this.address);
      this.socket.addEventListener('open', () => { this.pause = 250; this.changed(true); resolve(); });
    });
    this.socket.addEventListener('message', (event) => this.hear(JSON.parse(event.data)));
    this.socket.addEventListener('close', () => {
      const lost = [...this.waiting.values()];
      this.waiting.clear();
      this.changed(false);
      for (const each of lost) each.reject(new Lost());
      setTimeout(() => this.connect(), this.pause);
      this.pause = Math.min(2 * this.pause, 4000);
    });
  }

  // The answer to come; `report` hears what is known before it. `asked.id` is what `cancel` wants.
  ask(action, fields = {}, report = null) {
    const id = ++this.count;
    const answer = new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject, report }));
    const request = { id, action, lang: this.language(), ...fields };
    this.ready.then(() => { if (this.waiting.has(id)) this.socket.send(JSON.stringify(request)); });
    answer.id = id;
    return answer;
  }

  // Nobody wants the answer any more; it is null if it was not on its way.
  cancel(id) {
    if (!this.waiting.has(id)) return;
    this.waiting.get(id).report = null;
    this.ask('cancel', { target: id, discard: true }).catch(() => {});
  }

  hear(answer) {
    const waiting = this.waiting.get(answer.id);
    if (!waiting) return;
    if (!answer.final) { waiting.report?.(answer.result); return; }
    this.waiting.delete(answer.id);
    if ('error' in answer) waiting.reject(new Refused(answer));
    else waiting.resolve(answer.result);
  }
}
