import { randomBytes, randomUUID } from 'node:crypto';
import { foldLines } from 'nodemailer/lib/mime-funcs';
import { wireAddress } from '../../shared/mail/address.js';
import { composeMessage, type ReadyMessage } from '../../shared/mail/bulk-transport.js';
import { relaxedBody } from '../../shared/mail/dkim-signer.js';
import { displayName, headerName } from './header-text.js';
import type { MessageComposer, PreparedSend, Recipient } from './message-composer.js';
import { escapeHtml } from './message-layout.js';
import { quotedPrintable } from './quoted-printable.js';

/** What differs between two messages of one variant, and stands in the holes. */
const HOLES = ['to', 'deliveryId', 'token'] as const;
type Hole = (typeof HOLES)[number];
type Values = Record<Hole, string>;
/** Text between holes, and the holes: [text, hole, text, …, text]. */
type Cut = { texts: string[]; holes: Hole[] };

interface Variant {
  head: Cut;
  /** The parts as they are sent; a hole's value stands on lines of its own between soft line breaks. */
  body: Cut;
  /** The same text as DKIM's relaxed form has it. */
  relaxed: Cut;
}

const KEPT_SENDS = 8;
/** Stands in quoted-printable and in DKIM's relaxed form as it is. */
const PLAIN = /^[A-Za-z0-9_-][\x21-\x3c\x3e-\x7e]{0,72}$/;

/**
 * A send's message, composed by the library once for each list it goes to and then cut at its holes (guide/performance.md §5): for a
 * recipient only the holes are filled, a twentieth of what composing costs. A property test holds it to what the library composes.
 */
export class PreparedMessages {
  private readonly variants = new Map<string, Promise<Variant>>();
  /** The variant that the last message was of: most often the next one's too. */
  private last?: Pick<Recipient, 'emailListId' | 'introductionDue' | 'listName'> & { variant: Variant };

  constructor(
    private readonly composer: MessageComposer,
    private readonly send: PreparedSend,
  ) {}

  /** @throws where the recipient cannot be mailed */
  async for(recipient: Recipient): Promise<ReadyMessage> {
    return this.forNow(recipient) ?? this.filled(await this.variantFor(recipient), recipient);
  }

  /** Like for, at once. @returns undefined where the recipient's variant is still to be composed */
  forNow(recipient: Recipient): ReadyMessage | undefined {
    const { last } = this;
    if (!last || last.emailListId !== recipient.emailListId || last.introductionDue !== recipient.introductionDue || last.listName !== recipient.listName) return undefined;
    return this.filled(last.variant, recipient);
  }

  private filled({ head, body, relaxed }: Variant, recipient: Recipient): ReadyMessage {
    const to = wireAddress(recipient.email);
    if (!to) throw new Error('the address cannot be mailed');
    const values: Values = { to, deliveryId: recipient.deliveryId, token: recipient.unsubscribeToken };
    const plain = PLAIN.test(values.token) && PLAIN.test(values.deliveryId);
    const inBody = plain ? values : quoted(values);
    return {
      envelope: { from: this.composer.envelopeFrom(recipient.deliveryId), to },
      head: fill(head, { ...values, to: toHeader(recipient.name, to) }),
      body: fill(body, inBody),
      isPlain: true,
      relaxedBody: plain ? () => fill(relaxed, inBody) : undefined,
      placeWith: undefined,
    };
  }

  private async variantFor(recipient: Recipient): Promise<Variant> {
    const { emailListId, introductionDue, listName } = recipient;
    const key = `${emailListId} ${introductionDue} ${listName}`;
    let made = this.variants.get(key);
    if (!made) this.variants.set(key, (made = this.compile(recipient)));
    const variant = await made;
    this.last = { emailListId, introductionDue, listName, variant };
    return variant;
  }

  private async compile(recipient: Recipient): Promise<Variant> {
    const marks: Values = { to: `${randomBytes(12).toString('hex')}@hole.invalid`, deliveryId: randomUUID(), token: randomBytes(24).toString('hex').slice(0, 43) };
    const options = this.composer.compose(this.send, { ...recipient, email: marks.to, name: null, deliveryId: marks.deliveryId, unsubscribeToken: marks.token });
    // The library makes the header lines; the parts are encoded here, where the holes are known.
    const fixed = { text: 'text', html: '<p>html</p>', baseBoundary: this.send.id };
    const { head } = await composeMessage({ ...options, ...fixed } as typeof options);
    const boundary = /boundary="([^"]+)"/.exec(head)![1]!;
    const text = encodeCut(cutAt(String(options.text), marks));
    const html = encodeCut(cutAt(String(options.html), { ...marks, to: escapeHtml(marks.to) }));
    const body = join(
      `--${boundary}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n`, text,
      `\r\n--${boundary}\r\nContent-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n`, html,
      `\r\n--${boundary}--\r\n`,
    );
    const headCut = cutAt(head, { ...marks, to: `To: ${marks.to}` });
    if (!HOLES.every((hole) => headCut.holes.includes(hole))) throw new Error('a header line is not as expected');
    return { head: headCut, body, relaxed: { texts: relaxedTexts(body.texts), holes: body.holes } };
  }
}

/** The messages of the sends that a worker has in hand; made anew for one that comes back after others. */
export class PreparedSends {
  private readonly known = new Map<string, PreparedMessages>();

  constructor(private readonly composer: MessageComposer) {}

  of(send: PreparedSend): PreparedMessages {
    let messages = this.known.get(send.id);
    if (!messages) {
      if (this.known.size >= KEPT_SENDS) this.known.delete(this.known.keys().next().value!);
      this.known.set(send.id, (messages = new PreparedMessages(this.composer, send)));
    }
    return messages;
  }
}

function cutAt(text: string, marks: Values): Cut {
  const cut: Cut = { texts: [], holes: [] };
  let rest = text;
  for (;;) {
    const [at, hole] = HOLES.map((name) => [rest.indexOf(marks[name]), name] as const).filter(([found]) => found >= 0).sort(([a], [b]) => a - b)[0] ?? [];
    if (at === undefined || hole === undefined) break;
    cut.texts.push(rest.slice(0, at));
    cut.holes.push(hole);
    rest = rest.slice(at + marks[hole].length);
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
  return texts.map((text, i) => (i === texts.length - 1 ? relaxedBody(text) : text.replace(/[ \t]+(\r\n)?/g, (_run, end?: string) => end ?? ' ')));
}

function fill({ texts, holes }: Cut, values: Values): string {
  let filled = texts[0]!;
  for (let i = 0; i < holes.length; i++) filled += values[holes[i]!] + texts[i + 1]!;
  return filled;
}

const quoted = (values: Values): Values => ({
  to: quotedPrintable(escapeHtml(values.to)), deliveryId: quotedPrintable(escapeHtml(values.deliveryId)), token: quotedPrintable(escapeHtml(values.token)),
});

function toHeader(name: string | null, address: string): string {
  const shown = headerName(name ?? '');
  if (shown === '') return `To: ${address}`;
  const line = `To: ${displayName(shown)} <${address}>`;
  return line.length <= 76 ? line : foldLines(line, 76);
}
