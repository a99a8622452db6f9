import Link from '@mui/material/Link';
import Popover from '@mui/material/Popover';
import Typography from '@mui/material/Typography';
import { Fragment, useState } from 'react';
import { formatCount, plural } from '../../../lib/format';
import type { SendCheck } from './use-send-check';

type Forecast = NonNullable<SendCheck['forecast']>;

/** 'Reaches 812 of 1,040 addresses. Left out: …', where each number opens its explanation. */
export function ForecastLine({ forecast: { total, reaches, reasons } }: { forecast: Forecast }) {
  const [opened, setOpened] = useState<{ anchor: HTMLElement; explanation: string } | null>(null);
  return (
    <>
      <Typography>
        Reaches {formatCount(reaches)} of {plural(total, 'address', 'addresses')}.{reasons.length > 0 && ' Left out: '}
        {reasons.map(({ code, count, text, explanation }, place) => (
          <Fragment key={code}>
            {place > 0 && ', '}
            <Link
              component="button"
              type="button"
              aria-haspopup="dialog"
              sx={{ verticalAlign: 'baseline', textAlign: 'start' }}
              onClick={(event) => setOpened({ anchor: event.currentTarget, explanation })}
            >
              {formatCount(count)} {text}
            </Link>
          </Fragment>
        ))}
        {reasons.length > 0 && '.'}
      </Typography>
      <Popover
        open={opened !== null}
        anchorEl={opened?.anchor}
        onClose={() => setOpened(null)}
        anchorOrigin={{ vertical: 'bottom', horizontal: 'left' }}
        slotProps={{ paper: { role: 'dialog', 'aria-label': 'Why they are left out', tabIndex: -1 } }}
      >
        <Typography variant="body2" sx={{ p: 1.5, maxWidth: 320 }}>
          {opened?.explanation}
        </Typography>
      </Popover>
    </>
  );
}
