import { useEffect, useState } from 'react';
import { formatAgo, formatDateTime } from '../lib/format';
import { Tooltip } from './tooltip';

const MINUTE_MS = 60_000;

/** '3 minutes ago', updated every minute, with the exact time in a tooltip. */
export function RelativeTime({ iso, prefix }: { iso: string; prefix?: string }) {
  const [, tick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => tick((n) => n + 1), MINUTE_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <Tooltip title={formatDateTime(iso)} describeChild>
      <time dateTime={iso}>{prefix ? `${prefix} ${formatAgo(iso)}` : formatAgo(iso)}</time>
    </Tooltip>
  );
}
