import type { ForecastReasonDto } from './check.dto.js';

interface Reason {
  code: string;
  /** Text that follows the count, as in "150 at the network's daily cap". */
  text: string;
  explanation: string;
}

/** Reasons why people are left out, in the order in which they are applied. */
const reasonsInOrder = (networkCap: number): readonly Reason[] => [
  {
    code: 'unsubscribed',
    text: 'unsubscribed',
    explanation: 'They left your list, the shared network, or all mail. Nobody can mail them against that.',
  },
  {
    code: 'bounced',
    text: 'bounced before',
    explanation: 'Their mail server said that the address does not exist or takes no mail.',
  },
  {
    code: 'complained',
    text: 'reported mail as spam',
    explanation: 'They pressed the spam button of their mailbox on an earlier email.',
  },
  {
    // Previews report unsubscribed, bounced and complained addresses as one number.
    code: 'suppressed',
    text: 'unsubscribed, bounced or complained before',
    explanation: 'They left, their mail server takes no mail for them, or they reported an earlier email as spam.',
  },
  {
    code: 'pending',
    text: 'not confirmed yet',
    explanation: 'They were asked whether they want this mail and have not agreed yet.',
  },
  {
    code: 'otherType',
    text: 'agreed to the other type of mail',
    explanation: 'They agreed to job posts or to candidate lists, and this email is the other one.',
  },
  {
    code: 'doNotSend',
    text: 'on your do-not-send list',
    explanation: 'Their address or company is on your do-not-send list.',
  },
  {
    code: 'excludedList',
    text: 'on a list that you leave out',
    explanation: 'They are also on a list that this email leaves out.',
  },
  {
    code: 'excludedSegment',
    text: 'in a segment that you leave out',
    explanation: 'They are in a segment that this email leaves out.',
  },
  {
    code: 'excludedHere',
    text: 'left out of this email',
    explanation: 'Their address or company is named under "Leave out" of this email.',
  },
  {
    code: 'companyCap',
    text: 'beyond the limit for their company',
    explanation: 'Enough other people at their company get this email.',
  },
  {
    code: 'networkCap',
    text: "at the network's daily cap",
    explanation: `Members of the shared network get at most ${networkCap} ${networkCap === 1 ? 'email' : 'emails'} a day from all senders together. This counts as of now.`,
  },
];

/** The reasons that apply to at least one address, in their order. */
export function forecastReasons(
  found: ReadonlyMap<string | null, number>,
  shown: (n: number) => number,
  networkCap: number,
): ForecastReasonDto[] {
  return reasonsInOrder(networkCap)
    .map((reason) => ({ ...reason, count: shown(found.get(reason.code) ?? 0) }))
    .filter(({ count }) => count > 0);
}
