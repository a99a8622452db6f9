import type { MessageComposer, PreparedSend } from './message-composer.js';
import { PreparedMessages } from './prepared-message.js';

/** Limits of the cache per worker: number of sends, and their total size in characters. A worker's heap has 256 MB. */
const KEPT_SENDS = 500;
const KEPT_CHARACTERS = 24_000_000;

/** LRU cache of prepared messages by send. An evicted send is prepared again when it is needed. */
export class PreparedSends {
  private readonly known = new Map<string, PreparedMessages>();

  constructor(private readonly composer: MessageComposer) {}

  of(send: PreparedSend): PreparedMessages {
    const messages = this.known.get(send.id) ?? new PreparedMessages(this.composer, send);
    this.known.delete(send.id);
    this.known.set(send.id, messages);
    let characters = 0;
    for (const { size } of this.known.values()) characters += size;
    for (const [id, { size }] of this.known) {
      if (id === send.id || (this.known.size <= KEPT_SENDS && characters <= KEPT_CHARACTERS)) break;
      this.known.delete(id);
      characters -= size;
    }
    return messages;
  }
}
