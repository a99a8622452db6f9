import { useTheme } from '@mui/material/styles';
import { LineChart } from '@mui/x-charts/LineChart';
import { formatCount, formatDay, formatShort } from '../../lib/format';
import type { ListDay } from './contacts/api';

/** Number of contacts at the end of each day. The figures beside the chart contain the sums as text. */
export default function GrowthLine({ days, height }: { days: ListDay[]; height: number }) {
  const { tone } = useTheme().vars!.palette;
  return (
    <LineChart
      height={height}
      margin={{ left: 0, right: 12, top: 8, bottom: 0 }}
      hideLegend
      grid={{ horizontal: true }}
      xAxis={[
        {
          scaleType: 'point',
          data: days.map((day) => day.date),
          tickInterval: (_value, index) => (days.length - 1 - index) % 14 === 6,
          valueFormatter: (date: string) => formatDay(date),
        },
      ]}
      yAxis={[
        {
          width: 44,
          tickNumber: 3,
          tickMinStep: 1,
          disableLine: true,
          disableTicks: true,
          valueFormatter: formatShort,
        },
      ]}
      series={[
        {
          data: days.map((day) => day.contacts),
          label: 'Contacts',
          color: tone.info.main,
          showMark: false,
          curve: 'stepAfter',
          valueFormatter: (value, { dataIndex }) =>
            `${formatCount(value ?? 0)} (${formatCount(days[dataIndex]?.added ?? 0)} added, ${formatCount(days[dataIndex]?.unsubscribed ?? 0)} unsubscribed)`,
        },
      ]}
    />
  );
}
