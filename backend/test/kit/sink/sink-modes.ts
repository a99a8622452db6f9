/** Behaviour of the whole server, independent of the recipient. */
export interface SinkModes {
  /** Resets each connection at once. */
  refuse?: boolean;
  /** Closes before the greeting. */
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
  /** Ms before the reply to a message. */
  delayMs?: number;
  /** Of 10,000 messages this many are answered 451 after the dot. */
  deferPer10k?: number;
  /** Of 10,000 messages this many are stored and the connection is then cut before the reply. */
  cutPer10k?: number;
  /**
   * Messages a second that a provider accepts, by its name; the excess is answered 421 4.7.28 at RCPT. `providers` maps domains to
   * providers.
   */
  perSecond?: Record<string, number>;
  /** Recipient domain → provider, for `perSecond`; any other domain is its own provider. */
  providers?: Record<string, string>;
  /** Accepts this many MAIL commands per connection, then answers 421. */
  mailsPerConnection?: number;
}

export interface StoredMail {
  address: string;
  envelopeFrom: string;
  messageId: string;
  at: number;
  /** Empty where the sink does not keep bodies. */
  raw: string;
}
