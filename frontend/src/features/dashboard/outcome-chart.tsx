import { useTheme } from '@mui/material/styles';
import useMediaQuery from '@mui/material/useMediaQuery';
import { BarChart } from '@mui/x-charts/BarChart';
import { useNavigate } from 'react-router-dom';
import { formatCount, formatDate } from '../../lib/format';
import { historyEntryPath } from '../../lib/routes';
import { deliveryCounts } from '../../shared/delivery-counts';
import type { ToneName } from '../../theme/palette';
import { VisuallyHidden } from '../../ui/visually-hidden';
import type { SendOutcome } from './api';

const parts: { key: 'delivered' | 'unconfirmed' | 'failed' | 'bounced' | 'skipped'; label: string; tone: ToneName }[] =
  [
    { key: 'delivered', label: 'Delivered', tone: 'success' },
    { key: 'unconfirmed', label: 'Unconfirmed', tone: 'warning' },
    { key: 'failed', label: 'Failed', tone: 'error' },
    { key: 'bounced', label: 'Bounced', tone: 'bounced' },
    { key: 'skipped', label: 'Skipped', tone: 'neutral' },
  ];

type Part = (typeof parts)[number]['key'];

const countOf = (send: SendOutcome, key: Part): number =>
  key === 'delivered' || key === 'unconfirmed' ? deliveryCounts(send)[key] : send[key];
const resultCount = (send: SendOutcome) => send.sent + send.failed + send.bounced + send.skipped;

/** One bar per send, all of the same length: the shares of its messages by result. */
export default function OutcomeChart({ sends }: { sends: SendOutcome[] }) {
  const theme = useTheme();
  const navigate = useNavigate();
  const { tone } = theme.vars!.palette;
  const isWide = useMediaQuery(theme.breakpoints.up('md'), { noSsr: true });
  const byId = new Map(sends.map((send) => [send.id, send]));
  const shown = parts.filter(({ key }) => key !== 'unconfirmed' || sends.some((send) => countOf(send, key) > 0));
  const share = (send: SendOutcome, key: Part) =>
    resultCount(send) === 0 ? 0 : (100 * countOf(send, key)) / resultCount(send);
  const summary = sends
    .map(
      (send) =>
        `${send.subject}: ${shown.map(({ key, label }) => `${formatCount(countOf(send, key))} ${label.toLowerCase()}`).join(', ')}`,
    )
    .join('. ');
  return (
    <>
      <VisuallyHidden>{summary}</VisuallyHidden>
      <BarChart
        onAxisClick={(_event, at) => at && void navigate(historyEntryPath(String(at.axisValue)))}
        sx={{ cursor: 'pointer' }}
        layout="horizontal"
        height={72 + sends.length * 26}
        // Half of the label '100%' stands right of the bars; the chart cuts a label that does not fit.
        margin={{ left: 0, right: 28, top: 4, bottom: 0 }}
        borderRadius={2}
        xAxis={[
          {
            min: 0,
            max: 100,
            tickNumber: 4,
            disableLine: true,
            disableTicks: true,
            valueFormatter: (value: number) => `${value}%`,
          },
        ]}
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
        series={shown.map(({ key, label, tone: name }) => ({
          data: sends.map((send) => share(send, key)),
          label,
          stack: 'all',
          color: tone[name].main,
          valueFormatter: (_value: number | null, { dataIndex }: { dataIndex: number }) =>
            formatCount(sends[dataIndex] ? countOf(sends[dataIndex], key) : 0),
        }))}
        slotProps={{ legend: { position: { vertical: 'bottom', horizontal: 'start' } } }}
      />
    </>
  );
}
