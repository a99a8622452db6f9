/** A job's share of a send: the rows at these positions. */
export interface Range {
  sendId: string;
  from: number;
  to: number;
}
