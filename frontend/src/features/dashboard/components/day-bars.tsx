import { useTheme } from '@mui/material/styles';
import { BarChart } from '@mui/x-charts/BarChart';
import { formatCount, formatDay } from '../../../lib/format';
import type { ToneName } from '../../../theme/palette';
import type { TrendDay } from '../api';

interface DayBarsProps {
  days: TrendDay[];
  bars: { key: Exclude<keyof TrendDay, 'date'>; label: string; tone: ToneName; down?: boolean }[];
  /** Stands beside the day in the tooltip. */
  note?: (day: TrendDay) => string;
}

/** Stacked bars, one a day; what goes down hangs below the line. The card around it says the sums in words. */
export function DayBars({ days, bars, note }: DayBarsProps) {
  const { tone } = useTheme().vars!.palette;
  return (
    <BarChart
      height={260}
      margin={{ left: 0, right: 8, top: 8, bottom: 0 }}
      borderRadius={2}
      grid={{ horizontal: true }}
      xAxis={[
        {
          scaleType: 'band',
          data: days.map((day) => day.date),
          categoryGapRatio: 0.28,
          // Once a week, and not on the last day, whose label has no room.
          tickInterval: (_value, index) => (days.length - 1 - index) % 7 === 3,
          valueFormatter: (date: string, { location }) => {
            const day = location === 'tooltip' && note ? days.find((one) => one.date === date) : undefined;
            return day && note ? `${formatDay(date)} · ${note(day)}` : formatDay(date);
          },
        },
      ]}
      yAxis={[{ width: 46, tickMinStep: 1, tickNumber: 4, disableLine: true, disableTicks: true, valueFormatter: (value: number) => short(Math.abs(value)) }]}
      series={bars.map(({ key, label, tone: name, down }) => ({
        data: days.map((day) => (down ? -day[key] : day[key])),
        label,
        stack: 'all',
        stackOffset: 'diverging' as const,
        color: tone[name].main,
        valueFormatter: (value: number | null) => formatCount(Math.abs(value ?? 0)),
      }))}
      slotProps={{ legend: { position: { vertical: 'bottom', horizontal: 'start' } } }}
    />
  );
}

const compact = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 });
/** '12K'. */
const short = (value: number) => compact.format(value);
