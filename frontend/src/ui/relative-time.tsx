import { formatAgo, formatDateTime } from '../lib/format';
import { useNow } from '../lib/use-now';
import { Tooltip } from './tooltip';

const MINUTE_MS = 60_000;

/** '3 minutes ago', updated every minute, with the exact time in a tooltip. */
export function RelativeTime({ iso, prefix }: { iso: string; prefix?: string }) {
  useNow(MINUTE_MS);
  return (
    <Tooltip title={formatDateTime(iso)} describeChild>
      <time dateTime={iso}>{prefix ? `${prefix} ${formatAgo(iso)}` : formatAgo(iso)}</time>
    </Tooltip>
  );
}
