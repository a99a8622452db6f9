import { until } from './until.js';

export interface StreamEvent {
  name: string;
  data: Record<string, unknown>;
  /** Time of arrival in ms, by Date.now(). */
  at: number;
}

/** A server-sent event stream as a client reads it. */
export interface OpenStream {
  status: number;
  headers: Headers;
  events: StreamEvent[];
  /** Everything received so far, comments included. */
  text: () => string;
  /** Resolves once the server has ended the stream. */
  ended: Promise<void>;
  leave: () => void;
  /** Waits for a matching event. */
  next: (is: (event: StreamEvent) => boolean) => Promise<StreamEvent>;
}

/** Opens a stream and reads it until it ends or the client leaves. */
export async function openStream(url: string, headers: Record<string, string>): Promise<OpenStream> {
  const gone = new AbortController();
  const answer = await fetch(url, { headers: { Accept: 'text/event-stream', ...headers }, signal: gone.signal });
  const events: StreamEvent[] = [];
  let text = '';
  const read = async () => {
    let rest = '';
    for await (const part of answer.body!) {
      const got = Buffer.from(part as Uint8Array).toString();
      text += got;
      rest += got;
      for (let end = rest.indexOf('\n\n'); end >= 0; end = rest.indexOf('\n\n')) {
        const event = parse(rest.slice(0, end));
        if (event) events.push(event);
        rest = rest.slice(end + 2);
      }
    }
  };
  const ended = read().catch(() => undefined);
  return {
    status: answer.status,
    headers: answer.headers,
    events,
    text: () => text,
    ended,
    leave: () => gone.abort(),
    next: async (is) => {
      const found = await until(() => events.find(is)).catch((error: Error) => {
        throw new Error(`${error.message}\namong ${JSON.stringify(events)}`);
      });
      return found!;
    },
  };
}

function parse(block: string): StreamEvent | undefined {
  const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1];
  const data = field('data');
  return data === undefined
    ? undefined
    : { name: field('event') ?? 'message', data: JSON.parse(data) as Record<string, unknown>, at: Date.now() };
}

/** Matches events about a change of this kind, and of this object if an id is given. */
export const changeOf =
  (kind: string, id?: string) =>
  ({ name, data }: StreamEvent) =>
    name === 'change' && data.kind === kind && (!id || !data.ids || (data.ids as string[]).includes(id));
