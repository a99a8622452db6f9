import type Stripe from 'stripe';

/** API version of the answers. A test compares it with the version of the installed SDK. */
export const API_VERSION = '2026-10-28.endive';

/** Type of an object in JSON: decimals are strings, and references are ids. */
export type Wire<T> = T extends string
  ? T
  : T extends Stripe.Decimal
    ? string
    : T extends readonly (infer U)[]
      ? Wire<U>[]
      : T extends object
        ? { [K in keyof T]: Field<T[K]> }
        : T;
type Field<F> = string extends F ? Wire<Exclude<F, { object: string }>> : Wire<F>;

export type Params = { [name: string]: ParamValue };
export type ParamValue = string | Params | ParamValue[];

interface ErrorExtras {
  code?: string;
  param?: string;
  decline_code?: string;
  payment_intent?: unknown;
}

/** An error of the API. Its body has an `error` member, because the SDK would treat a 404 without one as a success. */
export class ApiFault extends Error {
  readonly status: number;
  readonly body: { error: { type: string; message: string } & ErrorExtras };

  constructor(status: number, type: string, message: string, extras: ErrorExtras = {}) {
    super(message);
    this.status = status;
    this.body = { error: { type, message, ...extras } };
  }
}

export const badRequest = (message: string, extras: ErrorExtras = {}): ApiFault =>
  new ApiFault(400, 'invalid_request_error', message, extras);
export const missing = (what: string, id: string, param = 'id'): ApiFault =>
  new ApiFault(param === 'id' ? 404 : 400, 'invalid_request_error', `No such ${what}: '${id}'`, {
    code: 'resource_missing',
    param,
  });

/** Parses `a[b][0]=c` into nested objects and arrays. */
export function decodeForm(text: string): Params {
  const root: Params = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const path = [...name.matchAll(/[^[\]]+/g)].map(([part]) => part);
    let at = root;
    for (const part of path.slice(0, -1)) {
      const next = (Object.hasOwn(at, part) ? at[part] : undefined) ?? {};
      if (typeof next !== 'object' || Array.isArray(next)) throw badRequest(`Invalid parameter ${name}`);
      at[part] = next;
      at = next;
    }
    at[path.at(-1) ?? ''] = value;
  }
  return listsOf(root) as Params;
}

function listsOf(value: ParamValue): ParamValue {
  if (typeof value === 'string' || Array.isArray(value)) return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, listsOf(inner)] as const);
  if (entries.length > 0 && entries.every(([key]) => /^\d+$/.test(key))) return entries.map(([, inner]) => inner);
  return Object.fromEntries(entries);
}

/** Paths of all parameters, without list indexes, such as `items.price`. */
export function pathsOf(value: ParamValue, at = ''): string[] {
  if (typeof value === 'string') return [at];
  if (Array.isArray(value)) return value.flatMap((inner) => pathsOf(inner, at));
  return Object.entries(value).flatMap(([key, inner]) => pathsOf(inner, at ? `${at}.${key}` : key));
}

export function refuseUnknown(params: Params, known: readonly string[]): void {
  for (const path of pathsOf(params)) {
    const fits = known.some(
      (name) =>
        name === path ||
        (name.endsWith('.*') && path.startsWith(name.slice(0, -1))) ||
        path === name.replace(/\.\*$/, ''),
    );
    if (!fits) throw badRequest(`Received unknown parameter: ${path}`, { code: 'parameter_unknown', param: path });
  }
}

export const textOf = (params: Params, name: string): string | undefined => {
  const value = params[name];
  return typeof value === 'string' ? value : undefined;
};

export function requiredText(params: Params, name: string): string {
  const value = textOf(params, name);
  if (!value) throw badRequest(`Missing required param: ${name}.`, { code: 'parameter_missing', param: name });
  return value;
}

export function wholeOf(params: Params, name: string): number | undefined {
  const value = textOf(params, name);
  if (value === undefined) return undefined;
  if (!/^-?\d+$/.test(value))
    throw badRequest(`Invalid integer: ${value}`, { code: 'parameter_invalid_integer', param: name });
  return Number(value);
}

export const metadataOf = (params: Params): Record<string, string> =>
  Object.fromEntries(
    Object.entries((params.metadata as Params | undefined) ?? {}).map(([key, value]) => [key, String(value)]),
  );

/** A page of a list, newest first; `limit` and `starting_after` select it. */
export function pageOf<T extends { id: string }>(all: T[], params: Params, url: string) {
  const limit = wholeOf(params, 'limit') ?? 10;
  if (limit < 1 || limit > 100) throw badRequest('This value must be between 1 and 100', { param: 'limit' });
  const after = textOf(params, 'starting_after');
  const start = after ? all.findIndex(({ id }) => id === after) + 1 : 0;
  if (after && start === 0) throw missing('object', after, 'starting_after');
  const data = all.slice(start, start + limit);
  return { object: 'list' as const, data, has_more: start + limit < all.length, url };
}
