import { useTheme } from '@mui/material/styles';
import useMediaQuery from '@mui/material/useMediaQuery';
import { BarChart } from '@mui/x-charts/BarChart';
import { formatCount, formatDate } from '../../../lib/format';
import type { ToneName } from '../../../theme/palette';
import { VisuallyHidden } from '../../../ui/visually-hidden';
import type { SendOutcome } from '../api';

const parts: { key: 'sent' | 'failed' | 'bounced' | 'skipped'; label: string; tone: ToneName }[] = [
  { key: 'sent', label: 'Delivered', tone: 'good' },
  { key: 'failed', label: 'Failed', tone: 'bad' },
  { key: 'bounced', label: 'Bounced', tone: 'bounced' },
  { key: 'skipped', label: 'Skipped', tone: 'quiet' },
];

const settled = (send: SendOutcome) => send.sent + send.failed + send.bounced + send.skipped;

/** One bar a send, all of one length: how its messages ended. */
export default function OutcomeChart({ sends }: { sends: SendOutcome[] }) {
  const theme = useTheme();
  const { tone } = theme.vars!.palette;
  const isWide = useMediaQuery(theme.breakpoints.up('md'), { noSsr: true });
  const byId = new Map(sends.map((send) => [send.id, send]));
  const share = (send: SendOutcome, key: (typeof parts)[number]['key']) => (settled(send) === 0 ? 0 : (100 * send[key]) / settled(send));
  const said = sends.map((send) => `${send.subject}: ${parts.map(({ key, label }) => `${formatCount(send[key])} ${label.toLowerCase()}`).join(', ')}`).join('. ');
  return (
    <>
      <VisuallyHidden>{said}</VisuallyHidden>
      <BarChart
        layout="horizontal"
        height={72 + sends.length * 26}
        margin={{ left: 0, right: 16, top: 4, bottom: 0 }}
        borderRadius={2}
        xAxis={[{ min: 0, max: 100, tickNumber: 4, disableLine: true, disableTicks: true, valueFormatter: (value: number) => `${value}%` }]}
        yAxis={[
          {
            scaleType: 'band',
            data: sends.map((send) => send.id),
            categoryGapRatio: 0.55,
            width: isWide ? 300 : 140,
            disableLine: true,
            disableTicks: true,
            valueFormatter: (id: string, { location }) => {
              const send = byId.get(id);
              if (!send) return '';
              return location === 'tooltip' ? `${send.subject} · ${formatDate(send.sentAt)}` : send.subject;
            },
          },
        ]}
        series={parts.map(({ key, label, tone: name }) => ({
          data: sends.map((send) => share(send, key)),
          label,
          stack: 'all',
          color: tone[name].main,
          valueFormatter: (_value: number | null, { dataIndex }: { dataIndex: number }) => formatCount(sends[dataIndex]?.[key] ?? 0),
        }))}
        slotProps={{ legend: { position: { vertical: 'bottom', horizontal: 'start' } } }}
      />
    </>
  );
}
