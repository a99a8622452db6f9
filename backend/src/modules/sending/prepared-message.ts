import { randomBytes, randomUUID } from 'node:crypto';
import { foldLines } from 'nodemailer/lib/mime-funcs';
import { wireAddress } from '../../shared/mail/address.js';
import { composeMessage, type ReadyMessage } from '../../shared/mail/bulk-transport.js';
import { relaxedBody } from '../../shared/mail/dkim-signer.js';
import { displayName, headerName } from './header-text.js';
import type { MessageComposer, PreparedSend, Recipient } from './message-composer.js';
import { escapeHtml } from './message-layout.js';
import { quotedPrintable } from './quoted-printable.js';

/** What differs between two messages of one body, and stands in the holes; the list's name is written differently in text and in HTML. */
const HOLES = ['to', 'deliveryId', 'token', 'listText', 'listHtml'] as const;
type Hole = (typeof HOLES)[number];
type Values = Record<Hole, string>;
/** Text between holes, and the holes: [text, hole, text, …, text]. */
type Cut = { texts: string[]; holes: Hole[] };
type ListValues = Pick<Values, 'listText' | 'listHtml'>;

/** The parts of a send's message, with or without the introduction. */
interface Body {
  /** As they are sent; a hole's value stands on lines of its own between soft line breaks. */
  sent: Cut;
  /** The same text as DKIM's relaxed form has it. */
  relaxed: Cut;
}

/** What is the same in all messages to a list: small, so that a send to many lists keeps its large parts once. */
interface ListParts {
  head: Cut;
  sent: ListValues;
  relaxed: ListValues;
}

/** Lists of one send whose parts are kept. */
const KEPT_LISTS = 2_000;
/** Sends that a worker keeps prepared, and the most characters of all of them together: the worker's heap has 256 MB. */
const KEPT_SENDS = 500;
const KEPT_CHARACTERS = 24_000_000;
/** Stands in quoted-printable and in DKIM's relaxed form as it is. */
const PLAIN = /^[A-Za-z0-9_-][\x21-\x3c\x3e-\x7e]{0,72}$/;

/**
 * A send's message, composed by the library once and then cut at its holes: for a recipient only the holes are filled, a twentieth of what
 * composing costs. A property test holds it to what the library composes.
 */
export class PreparedMessages {
  private readonly composing = new Map<boolean, Promise<Body>>();
  private readonly bodies = new Map<boolean, Body>();
  private readonly lists = new Map<string, ListParts>();
  /** The list that the last message went to: most often the next one's too. */
  private last?: { emailListId: string; listName: string; parts: ListParts };
  private characters: number;

  constructor(
    private readonly composer: MessageComposer,
    private readonly send: PreparedSend,
  ) {
    this.characters = send.content.length + send.contentHtml.length;
  }

  /** What it holds, in characters. */
  get size(): number {
    return this.characters;
  }

  /** @throws where the recipient cannot be mailed */
  async for(recipient: Recipient): Promise<ReadyMessage> {
    return this.forNow(recipient) ?? this.filled(await this.bodyFor(recipient), this.knownList(recipient) ?? (await this.compileList(recipient)), recipient);
  }

  /** Like for, at once. @returns undefined where something is still to be composed */
  forNow(recipient: Recipient): ReadyMessage | undefined {
    const body = this.bodies.get(recipient.introductionDue);
    const list = body && this.knownList(recipient);
    return list && this.filled(body, list, recipient);
  }

  private filled(body: Body, list: ListParts, recipient: Recipient): ReadyMessage {
    const to = wireAddress(recipient.email);
    if (!to) throw new Error('the address cannot be mailed');
    const values = { to, deliveryId: recipient.deliveryId, token: recipient.unsubscribeToken };
    const plain = PLAIN.test(values.token) && PLAIN.test(values.deliveryId);
    const inBody = plain ? values : quoted(values);
    return {
      envelope: { from: this.composer.envelopeFrom(recipient.deliveryId), to },
      head: fill(list.head, { ...values, ...list.sent, to: toHeader(recipient.name, to) }),
      body: fill(body.sent, { ...inBody, ...list.sent }),
      isPlain: true,
      relaxedBody: plain ? () => fill(body.relaxed, { ...inBody, ...list.relaxed }) : undefined,
      placeWith: undefined,
    };
  }

  private knownList({ emailListId, listName }: Recipient): ListParts | undefined {
    const { last } = this;
    if (last && last.emailListId === emailListId && last.listName === listName) return last.parts;
    const parts = this.lists.get(`${emailListId} ${listName}`);
    if (parts) this.last = { emailListId, listName, parts };
    return parts;
  }

  private async bodyFor(recipient: Recipient): Promise<Body> {
    const { introductionDue } = recipient;
    let made = this.composing.get(introductionDue);
    if (!made) this.composing.set(introductionDue, (made = this.compileBody(recipient)));
    return made;
  }

  private async compileBody(recipient: Recipient): Promise<Body> {
    const marks = marksOf();
    const options = this.compose(recipient, marks, marks.listText);
    const boundary = boundaryIn(await headOf(options, this.send.id));
    const text = encodeCut(cutAt(String(options.text), marks));
    const html = encodeCut(cutAt(String(options.html), { to: escapeHtml(marks.to), deliveryId: marks.deliveryId, token: marks.token, listHtml: marks.listText }));
    const sent = join(
      `--${boundary}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n`, text,
      `\r\n--${boundary}\r\nContent-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n`, html,
      `\r\n--${boundary}--\r\n`,
    );
    const body = { sent, relaxed: { texts: relaxedTexts(sent.texts), holes: sent.holes } };
    this.bodies.set(recipient.introductionDue, body);
    this.characters += lengthOf(body.sent) + lengthOf(body.relaxed);
    return body;
  }

  private async compileList(recipient: Recipient): Promise<ListParts> {
    const { emailListId, listName } = recipient;
    const marks = marksOf();
    const options = this.compose(recipient, marks, listName);
    const head = cutAt(await headOf(options, this.send.id), { to: `To: ${marks.to}`, deliveryId: marks.deliveryId, token: marks.token });
    if (!IN_HEAD.every((hole) => head.holes.includes(hole))) throw new Error('a header line is not as expected');
    const sent = { listText: quotedPrintable(listName), listHtml: quotedPrintable(escapeHtml(listName)) };
    const parts = { head, sent, relaxed: { listText: oneBlank(sent.listText), listHtml: oneBlank(sent.listHtml) } };
    if (this.lists.size >= KEPT_LISTS) this.lists.delete(this.lists.keys().next().value!);
    else this.characters += lengthOf(head) + 4 * sent.listHtml.length;
    this.lists.set(`${emailListId} ${listName}`, parts);
    this.last = { emailListId, listName, parts };
    return parts;
  }

  private compose(recipient: Recipient, marks: Marks, listName: string): ReturnType<MessageComposer['compose']> {
    return this.composer.compose(this.send, { ...recipient, email: marks.to, name: null, deliveryId: marks.deliveryId, unsubscribeToken: marks.token, listName });
  }
}

/** The messages of the sends that a worker has in hand, the last used ones within a bound; made anew for one that comes back later. */
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

const IN_HEAD = ['to', 'deliveryId', 'token'] as const;
type Marks = Pick<Values, (typeof IN_HEAD)[number] | 'listText'>;

/** What stands in the holes while the library composes. */
const marksOf = (): Marks => ({
  to: `${randomBytes(12).toString('hex')}@hole.invalid`, deliveryId: randomUUID(), token: randomBytes(24).toString('hex').slice(0, 43), listText: randomBytes(16).toString('hex'),
});

/** The library makes the header lines; the parts are encoded here, where the holes are known. */
async function headOf(options: ReturnType<MessageComposer['compose']>, baseBoundary: string): Promise<string> {
  const fixed = { text: 'text', html: '<p>html</p>', baseBoundary };
  return (await composeMessage({ ...options, ...fixed } as typeof options)).head;
}

const boundaryIn = (head: string): string => /boundary="([^"]+)"/.exec(head)![1]!;
const lengthOf = ({ texts }: Cut): number => texts.reduce((sum, text) => sum + text.length, 0);

function cutAt(text: string, marks: Partial<Values>): Cut {
  const cut: Cut = { texts: [], holes: [] };
  let rest = text;
  for (;;) {
    const [at, hole] = HOLES.map((name) => [marks[name] === undefined ? -1 : rest.indexOf(marks[name]), name] as const).filter(([found]) => found >= 0).sort(([a], [b]) => a - b)[0] ?? [];
    if (at === undefined || hole === undefined) break;
    cut.texts.push(rest.slice(0, at));
    cut.holes.push(hole);
    rest = rest.slice(at + marks[hole]!.length);
  }
  cut.texts.push(rest);
  return cut;
}

/** Quoted-printable with soft line breaks around each hole, so that no line grows by what fills it. */
function encodeCut({ texts, holes }: Cut): Cut {
  const encoded = texts.map((text, i) => {
    const quotedText = quotedPrintable(text);
    const before = i > 0 ? '=\r\n' : '';
    const after = i < texts.length - 1 && !quotedText.endsWith('\n') && quotedText !== '' ? '=\r\n' : '';
    return before + quotedText + after;
  });
  return { texts: encoded, holes };
}

function join(start: string, first: Cut, between: string, second: Cut, end: string): Cut {
  const texts = [...first.texts];
  texts[0] = start + texts[0]!;
  texts[texts.length - 1] += between + second.texts[0]!;
  texts.push(...second.texts.slice(1));
  texts[texts.length - 1] += end;
  return { texts, holes: [...first.holes, ...second.holes] };
}

/** White space never stands beside a hole, so each text has its relaxed form by itself; only the last one may lose empty lines. */
function relaxedTexts(texts: string[]): string[] {
  return texts.map((text, i) => (i === texts.length - 1 ? relaxedBody(text) : oneBlank(text)));
}

const oneBlank = (text: string): string => text.replace(/[ \t]+(\r\n)?/g, (_run, end?: string) => end ?? ' ');

function fill({ texts, holes }: Cut, values: Values): string {
  let filled = texts[0]!;
  for (let i = 0; i < holes.length; i++) filled += values[holes[i]!] + texts[i + 1]!;
  return filled;
}

const quoted = (values: Omit<Values, keyof ListValues>): Omit<Values, keyof ListValues> => ({
  to: quotedPrintable(escapeHtml(values.to)), deliveryId: quotedPrintable(escapeHtml(values.deliveryId)), token: quotedPrintable(escapeHtml(values.token)),
});

function toHeader(name: string | null, address: string): string {
  const shown = headerName(name ?? '');
  if (shown === '') return `To: ${address}`;
  const line = `To: ${displayName(shown)} <${address}>`;
  return line.length <= 76 ? line : foldLines(line, 76);
}
