import { useTheme } from '@mui/material/styles';
import { BarChart } from '@mui/x-charts/BarChart';
import { formatCount, formatDay, formatShort } from '../../lib/format';
import type { ToneName } from '../../theme/palette';
import type { TrendDay } from './api';
import { CHART_HEIGHT } from './chart-card';

export interface DayBarsProps {
  days: TrendDay[];
  bars: { count: (day: TrendDay) => number; label: string; tone: ToneName; down?: boolean }[];
  /** Shown beside the day in the tooltip. */
  note?: (day: TrendDay) => string;
  /** A day was clicked. For the keyboard, the card's link leads to the same screen. */
  onDay?: (date: string) => void;
}

/** Stacked bars, one per day; `down` bars go below the axis. */
export default function DayBars({ days, bars, note, onDay }: DayBarsProps) {
  const { tone } = useTheme().vars!.palette;
  return (
    <BarChart
      height={CHART_HEIGHT}
      margin={{ left: 0, right: 8, top: 8, bottom: 0 }}
      borderRadius={2}
      grid={{ horizontal: true }}
      onAxisClick={onDay && ((_event, at) => at && onDay(String(at.axisValue)))}
      sx={onDay ? { cursor: 'pointer' } : undefined}
      xAxis={[
        {
          scaleType: 'band',
          data: days.map((day) => day.date),
          categoryGapRatio: 0.28,
          // One label a week. The last day gets none, because there is no space for it.
          tickInterval: (_value, index) => (days.length - 1 - index) % 7 === 3,
          valueFormatter: (date: string, { location }) => {
            const day = location === 'tooltip' && note ? days.find((one) => one.date === date) : undefined;
            return day && note ? `${formatDay(date)} · ${note(day)}` : formatDay(date);
          },
        },
      ]}
      yAxis={[
        {
          width: 46,
          tickMinStep: 1,
          tickNumber: 4,
          disableLine: true,
          disableTicks: true,
          valueFormatter: (value: number) => formatShort(Math.abs(value)),
        },
      ]}
      series={bars.map(({ count, label, tone: name, down }) => ({
        data: days.map((day) => (down ? -count(day) : count(day))),
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
