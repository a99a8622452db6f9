import Box from '@mui/material/Box';
import Paper from '@mui/material/Paper';
import Skeleton from '@mui/material/Skeleton';
import Tab from '@mui/material/Tab';
import Tabs from '@mui/material/Tabs';
import Typography from '@mui/material/Typography';
import { useId } from 'react';
import { formatMoney } from '../../lib/format';
import { IconCheck } from '../../ui/icons';
import { SectionError } from '../../ui/loading/section-error';
import { LoadingRegion } from '../../ui/loading/skeletons';
import { Tag } from '../../ui/tag';
import type { Loaded, Period, Plan } from './api';
import { messages } from './messages';
import { planFor, priceOf, savingText } from './prices';

interface PlanOfferProps {
  plans: Loaded<Plan[]>;
  period: Period;
  /** True while the plan has an open invoice; the price cannot be changed then. */
  isFixed: boolean;
  /** True while an order is being placed; changing the price now would cancel it. */
  isBusy: boolean;
  onPeriod: (period: Period) => void;
}

/** The monthly and yearly price, and the features of Pro. */
export function PlanOffer({ plans, period, isFixed, isBusy, onPeriod }: PlanOfferProps) {
  const { data, isFetching, refetch } = plans;
  const plan = data && planFor(data, period);
  return (
    <Paper component="section" aria-label="Pro plan" variant="outlined" sx={{ overflow: 'hidden' }}>
      {plan ? (
        <>
          {!isFixed && <Prices plans={data} plan={plan} period={period} isBusy={isBusy} onPeriod={onPeriod} />}
          <Features features={plan.features} />
        </>
      ) : (
        <Box sx={{ p: { xs: 2, sm: 3 } }}>
          {isFetching ? (
            <OfferSkeleton />
          ) : (
            <SectionError message={messages.plansFailed} onRetry={() => void refetch()} />
          )}
        </Box>
      )}
    </Paper>
  );
}

interface PricesProps extends Pick<PlanOfferProps, 'period' | 'isBusy' | 'onPeriod'> {
  plans: readonly Plan[];
  plan: Plan;
}

function Prices({ plans, plan, period, isBusy, onPeriod }: PricesProps) {
  const id = useId();
  const { amount, interval } = priceOf(plan);
  const saving = savingText(plans);
  const tab = (value: Period, label: string) => (
    <Tab value={value} label={label} disabled={isBusy} id={`${id}-${value}`} aria-controls={`${id}-panel`} />
  );
  return (
    <>
      <Tabs
        value={period}
        onChange={(_event, value: Period) => onPeriod(value)}
        variant="fullWidth"
        aria-label="How often to pay"
        sx={{ borderBottom: 1, borderColor: 'divider' }}
      >
        {tab('yearly', 'Yearly')}
        {tab('monthly', 'Monthly')}
      </Tabs>
      <Box
        role="tabpanel"
        id={`${id}-panel`}
        aria-labelledby={`${id}-${period}`}
        sx={{ px: { xs: 2, sm: 3 }, pt: { xs: 2, sm: 3 } }}
      >
        <Box sx={{ display: 'flex', alignItems: 'baseline', gap: 1, flexWrap: 'wrap' }}>
          <Typography component="span" variant="figure" sx={{ fontSize: '2.5rem', lineHeight: 1.1 }}>
            {amount}
          </Typography>
          <Typography component="span" color="textSecondary">
            {interval}
          </Typography>
          {saving && period === 'yearly' && <Tag accent>{saving}</Tag>}
        </Box>
        <Typography variant="body2" color="textSecondary" sx={{ mt: 0.5 }}>
          {period === 'yearly'
            ? `${formatMoney(plan.priceCents / 12)} a month, charged once a year.`
            : saving
              ? `Charged every month. ${saving} with the yearly plan.`
              : 'Charged every month.'}
        </Typography>
      </Box>
    </>
  );
}

function Features({ features }: { features: readonly string[] }) {
  return (
    <Box sx={{ p: { xs: 2, sm: 3 } }}>
      <Typography variant="h2" sx={{ fontSize: '0.875rem', mb: 1.25 }}>
        What's included in Pro
      </Typography>
      <Box component="ul" sx={{ listStyle: 'none', m: 0, p: 0, display: 'grid', gap: 1 }}>
        {features.map((feature) => (
          <Box component="li" key={feature} sx={{ display: 'flex', gap: 1.25, alignItems: 'flex-start' }}>
            <Box sx={{ color: 'tone.success.main', mt: '3px', display: 'inline-flex' }}>
              <IconCheck size={16} strokeWidth={2.4} aria-hidden />
            </Box>
            <Typography component="span">{feature}</Typography>
          </Box>
        ))}
      </Box>
    </Box>
  );
}

function OfferSkeleton() {
  return (
    <LoadingRegion label="Loading the plans">
      <Skeleton height={40} />
      <Skeleton width="45%" height={56} sx={{ mt: 1 }} />
      <Skeleton width="65%" />
      {Array.from({ length: 4 }, (_, index) => (
        <Skeleton key={index} width={`${70 - index * 8}%`} height={26} sx={{ mt: index ? 0.25 : 3 }} />
      ))}
    </LoadingRegion>
  );
}
