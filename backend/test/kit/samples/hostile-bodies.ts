import { request } from 'node:http';
import { KB } from '../../../src/shared/http/requests/body.decorators.js';
import { HOSTILE_UNITS } from './hostile-texts.js';

interface Schema {
  $ref?: string;
  allOf?: Schema[];
  type?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  enum?: unknown[];
  example?: unknown;
  maxLength?: number;
}
interface Operation {
  method: string;
  path: string;
  operationId: string;
  requestBody?: { content: Record<string, { schema: Schema }> };
}
/** The parts of an OpenAPI document that are used here. */
export interface ApiDocument {
  paths: Record<string, Record<string, Omit<Operation, 'method' | 'path'>>>;
  components: { schemas: Record<string, Schema> };
}

/** A request with an expensive body. */
export interface HostileRequest {
  name: string;
  method: string;
  path: string;
  body: () => string;
  /** Whether the body is sent in chunks, without a Content-Length. */
  isChunked?: boolean;
  isSignedOut?: boolean;
}

/** Size limits of JSON bodies on routes that do not have the default limit, as set in their controllers. */
export const MAX_BYTES: Readonly<Record<string, number>> = {
  sendEmail: 1024 * KB,
  previewSend: 1024 * KB,
  checkSend: 1024 * KB,
  renderSend: 1024 * KB,
  sendTest: 1024 * KB,
  scheduleSend: 1025 * KB,
  changeScheduled: 1025 * KB,
  createDraft: 1024 * KB,
  saveDraft: 1024 * KB,
  createTemplate: 1024 * KB,
  updateTemplate: 1024 * KB,
  saveSenderProfile: 128 * KB,
  previewSenderProfile: 128 * KB,
  readRequirement: 304 * KB,
  composeRequirement: 256 * KB,
  createSegment: 64 * KB,
  countSegment: 64 * KB,
  updateSegment: 64 * KB,
  startBulk: 64 * KB,
  addManyDoNotSend: 4096 * KB,
  reportClientError: 2 * KB,
};
/** The import reads its body as a stream. */
const STREAMED_BYTES: Readonly<Record<string, number>> = { importContacts: 4096 * KB };
const USUAL_BYTES = 32 * KB;
const bytesOf = (operationId: string): number => MAX_BYTES[operationId] ?? STREAMED_BYTES[operationId] ?? USUAL_BYTES;
const PIECE = 16_384;

/** Expensive bodies for every operation that changes something, grouped by operation. */
export function hostileRequests(
  { paths, components }: ApiDocument,
  ids: { list: string; contact: string },
): HostileRequest[][] {
  const resolved = (schema: Schema): Schema => {
    if (schema.$ref) return resolved(components.schemas[schema.$ref.split('/').at(-1)!]!);
    return schema.allOf ? resolved(schema.allOf[0]!) : schema;
  };
  const exampleOf = (schema: Schema): unknown => {
    const { example, enum: values, type, items, properties } = resolved(schema);
    if (example !== undefined) return example;
    if (values) return values[0];
    if (type === 'array') return [items ? exampleOf(items) : 'x'];
    if (properties)
      return Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, exampleOf(property)]));
    return type === 'boolean' ? true : type === 'number' ? 1 : 'x';
  };
  const withIds = (path: string) =>
    path
      .replace('/email-lists/{id}', `/email-lists/${ids.list}`)
      .replace('{contactId}', ids.contact)
      .replace(/\{token\}/g, 'unknown')
      .replace(/\{\w+\}/g, '0d7f3b52-8f0e-4a43-9d6e-0f8a7c1b2e3d');

  /**
   * Bodies whose string fields are filled up to the route's limit, and, if that is large, also up to the field's limit.
   */
  const textsFor = ({ method, path, operationId, requestBody }: Operation): HostileRequest[] => {
    const schema = requestBody?.content['application/json']?.schema;
    if (!schema) return [];
    const base = { ...(exampleOf(schema) as object), ...(operationId.match(/send/i) && { emailListIds: [ids.list] }) };
    const fields = Object.entries(resolved(schema).properties ?? {}).filter(
      ([, property]) => resolved(property).type === 'string' && !resolved(property).enum,
    );
    const maxBytes = bytesOf(operationId);
    return fields.flatMap(([field, property]) =>
      Object.entries(HOSTILE_UNITS).flatMap(([unitName, unit]) => {
        const name = `${operationId}.${field} of ${unitName}`;
        const one = { method, path: withIds(path), name, body: () => filled(base, field, unit, { maxBytes }) };
        const { maxLength = 0 } = resolved(property);
        if (maxLength < 1000) return [one];
        const body = () => filled(base, field, unit, { maxBytes, maxLength });
        return [one, { ...one, name: `${name}, within its limit`, body }];
      }),
    );
  };

  return (
    Object.entries(paths)
      .flatMap(([path, item]) =>
        Object.entries(item).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
      )
      // Without Stripe's keys the webhook answers 503 before it reads the body.
      .filter(({ method, operationId }) => method !== 'GET' && operationId !== 'receiveStripeEvent')
      .map((operation) => [
        ...textsFor(operation),
        ...shapesFor(operation).map((one) => ({ ...one, path: withIds(one.path) })),
      ])
      // A sign-out or registration would end the session of the other requests.
      .map((all) => all.map((one) => ({ ...one, isSignedOut: /^(logout|register)\b/.test(one.name) })))
  );
}

/** The base body with one field filled, so that its JSON has this many bytes. */
function filled(
  base: object,
  field: string,
  unit: string,
  { maxBytes, maxLength }: { maxBytes: number; maxLength?: number },
): string {
  const bare = Buffer.byteLength(JSON.stringify({ ...base, [field]: 'xx' }));
  const each = Buffer.byteLength(JSON.stringify(unit)) - 2;
  const fitting = Math.floor((maxBytes - bare) / each);
  const times = Math.max(1, maxLength ? Math.min(fitting, Math.floor((maxLength - 2) / unit.length)) : fitting);
  return JSON.stringify({ ...base, [field]: `x${unit.repeat(times)}x` });
}

/** JSON structures that are expensive for libraries, and one chunked body. */
function shapesFor({ method, path, operationId }: Operation): HostileRequest[] {
  const maxBytes = bytesOf(operationId);
  const many = (text: (n: number) => string, each: number) =>
    Array.from({ length: Math.floor((maxBytes - 100) / each) }, (_, n) => text(n)).join(',');
  const deep = Math.floor((maxBytes - 100) / 12);
  const key = (n: number) => `"${String(n).padStart(7, 'k')}"`;
  const wide = () => `{${many((n) => `${key(n)}:1`, 12)}}`;
  const shapes: Record<string, () => string> = {
    'a wide object': wide,
    'a wide unknown field': () => `{"x":${wide()}}`,
    'wide objects in a list': () => `{"lines":[${many((n) => `{"a${n % 10}":1}`, 9)}]}`,
    'arrays of arrays': () =>
      `{"emailListIds":[${many(() => '[[]]', 5)}],"email":[${many(() => '[]', 3).slice(0, 99)}]}`.slice(0, maxBytes),
    'an array of blanks': () => `{"lines":[${many(() => '""', 3)}]}`,
    'an array of numbers': () => `[${many(() => '1', 2)}]`,
    'a deep object': () => `${'{"a":'.repeat(deep)}1${'}'.repeat(deep)}`,
    'a deep array': () => `{"email":${'['.repeat(deep)}${']'.repeat(deep)}}`,
    'a long key': () => `{"${'k'.repeat(maxBytes - 10)}":1}`,
    'nested wide objects': () => `{"config":{"config":{${many((n) => `${key(n)}:{}`, 13)}}}}`,
  };
  return [
    ...Object.entries(shapes).map(([shape, body]) => ({ method, path, body, name: `${operationId}: ${shape}` })),
    {
      method,
      path,
      body: () => wide() + ' '.repeat(64 * KB),
      isChunked: true,
      name: `${operationId}: in pieces`,
    },
  ];
}

/**
 * Sends a request.
 * @returns the status; 0 if the server did not answer
 */
export function ask(
  url: string,
  cookie: string,
  { method, path, body, isChunked, isSignedOut }: Omit<HostileRequest, 'name' | 'body'> & { body?: () => string },
): Promise<number> {
  const bytes = body && Buffer.from(body());
  const length = isChunked ? { 'Transfer-Encoding': 'chunked' } : { 'Content-Length': bytes?.length };
  return new Promise((resolve) => {
    const req = request(
      url + path,
      {
        method,
        headers: {
          ...(bytes && { 'Content-Type': 'application/json', ...length }),
          ...(isSignedOut ? {} : { Cookie: cookie }),
        },
      },
      (answer) => answer.resume().on('close', () => resolve(answer.statusCode ?? 0)),
    );
    req.on('error', () => resolve(0));
    if (isChunked && bytes) for (let at = 0; at < bytes.length; at += PIECE) req.write(bytes.subarray(at, at + PIECE));
    req.end(isChunked ? undefined : bytes);
  });
}
