import { formatCount, plural } from '../../../lib/format';

interface Rates {
  mails: number;
  bounced: number;
  complained: number;
  bounceRate: number;
  complaintRate: number;
}

/** '0.12%': a complaint rate is told in hundredths. */
export const percent = (share: number) => `${(share * 100).toFixed(2)}%`;

/** '1,200 mails, 3 bounced (0.25%), 1 complaint (0.08%)'. */
export function ratesText({ mails, bounced, complained, bounceRate, complaintRate }: Rates): string {
  if (mails === 0) return 'No mail';
  return `${plural(mails, 'mail')}, ${formatCount(bounced)} bounced (${percent(bounceRate)}), ${plural(complained, 'complaint')} (${percent(complaintRate)})`;
}
