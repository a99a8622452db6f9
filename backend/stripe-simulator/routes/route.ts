import type { Account } from '../account.ts';
import { type Params } from '../wire.ts';

export interface Call {
  account: Account;
  params: Params;
  ids: string[];
  path: string;
  pagesBase: string;
}
/** A call of the API, with the parameters that it accepts. */
export interface Route {
  method: string;
  path: RegExp;
  params: string[];
  answer: (call: Call) => object;
}

/** Parameters that every list call accepts. */
export const LIST = ['limit', 'starting_after', 'ending_before'];
export const route = (method: string, path: string, params: string[], answer: Route['answer']): Route => ({
  method,
  path: new RegExp(`^/v1/${path.replace(/:\w+/g, '([^/]+)')}$`),
  params: [...params, 'expand'],
  answer,
});
