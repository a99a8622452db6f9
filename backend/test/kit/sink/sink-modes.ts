/** Behaviour of the whole server, for all recipients. */
export interface SinkModes {
  /** Resets each connection immediately. */
  refuse?: boolean;
  /** Closes connections before the greeting. */
  closeEarly?: boolean;
  /** Accepts connections and never answers. */
  mute?: boolean;
  /** Greets with 421. */
  busy?: boolean;
  /** Refuses AUTH with 535. */
  refuseAuth?: boolean;
  /** Offers AUTH. */
  offerAuth?: boolean;
  /** Refuses every MAIL FROM with 550. */
  refuseSender?: boolean;
  /** Does not offer PIPELINING. */
  lockStep?: boolean;
  /** Delay in ms before the reply to a message. */
  delayMs?: number;
  /** Number in 10,000 messages that get 451 after the dot. */
  deferPer10k?: number;
  /** Number in 10,000 messages that are stored, but whose connection is cut before the reply. */
  cutPer10k?: number;
  /**
   * Messages a second that each provider accepts; any more get 421 4.7.28 at RCPT. `providers` maps domains to
   * providers.
   */
  perSecond?: Record<string, number>;
  /** Maps recipient domains to providers, for `perSecond`. Any other domain is its own provider. */
  providers?: Record<string, string>;
  /** Number of MAIL commands that are accepted per connection; further ones get 421. */
  mailsPerConnection?: number;
}

export interface StoredMail {
  address: string;
  envelopeFrom: string;
  messageId: string;
  at: number;
  /** Empty if the sink does not keep bodies. */
  raw: string;
}
