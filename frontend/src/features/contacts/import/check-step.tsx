import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Paper from '@mui/material/Paper';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { client } from '../../../api/client';
import { formatCount, plural } from '../../../lib/format';
import { SubmitButton } from '../../../ui/form/submit-button';
import { IconDownload } from '../../../ui/icons';
import { GROUPS, messages, rejectedUrl, type Import, type Report } from './api';
import { CheckGroup } from './check-group';
import { useRefusal } from './failed/refusal';
import { TypoFixes } from './typo-fixes';

/** What the import would do: counts, the groups of lines, and the button that imports. */
export function CheckStep({ found, onColumns }: { found: Import; onColumns: () => void }) {
  const [commit, { isLoading }] = client.useCommitImportMutation();
  // One key while the screen is open, so that pressing the button twice imports once.
  const [idempotencyKey] = useState(() => crypto.randomUUID());
  const { refusal, attempt } = useRefusal(messages.startFailed);
  const { report } = found;
  if (!report) return null;
  const goIn = report.new + report.updated;
  const run = () => attempt(() => commit({ id: found.id, 'Idempotency-Key': idempotencyKey }).unwrap());
  return (
    <>
      <Typography color="textSecondary" sx={{ mb: 2 }}>
        {messages.nothingYet}
      </Typography>
      <Tiles report={report} />
      {report.typos.length > 0 && <TypoFixes found={found} typos={report.typos} />}
      <Groups found={found} report={report} />
      {report.unchecked.people > 0 && <Unchecked {...report.unchecked} />}
      {report.domains.length > 0 && <Domains report={report} />}
      <Box sx={{ mt: 3 }}>{refusal}</Box>
      <Stack direction="row" sx={{ gap: 1.5, flexWrap: 'wrap', alignItems: 'center' }}>
        <SubmitButton type="button" pending={isLoading} disabled={goIn === 0} onClick={() => void run()}>
          {goIn === 0 ? 'Nothing to import' : `Import ${plural(goIn, 'contact')}`}
        </SubmitButton>
        <Button color="inherit" onClick={onColumns}>
          Back to the columns
        </Button>
        {report.leftOut > 0 && (
          <Button
            component="a"
            href={rejectedUrl(found.id)}
            download
            color="inherit"
            startIcon={<IconDownload size={15} aria-hidden />}
          >
            Download the lines left out
          </Button>
        )}
      </Stack>
    </>
  );
}

const tiles = [
  ['new', 'New'],
  ['updated', 'Will be updated'],
  ['unchanged', 'Unchanged'],
  ['leftOut', 'Left out'],
] as const;

function Tiles({ report }: { report: Report }) {
  return (
    <Box
      component="dl"
      sx={{ m: 0, mb: 3, display: 'grid', gap: 1.5, gridTemplateColumns: { xs: '1fr 1fr', md: 'repeat(4, 1fr)' } }}
    >
      {tiles.map(([key, label]) => (
        <Paper key={key} variant="outlined" sx={{ p: 2, display: 'flex', flexDirection: 'column-reverse' }}>
          <Typography component="dt" variant="body2" color="textSecondary">
            {label}
          </Typography>
          <Typography component="dd" variant="h2" sx={{ m: 0, fontVariantNumeric: 'tabular-nums' }}>
            {formatCount(report[key])}
          </Typography>
        </Paper>
      ))}
    </Box>
  );
}

function Groups({ found, report }: { found: Import; report: Report }) {
  const counts = new Map(report.groups.map(({ code, count }) => [code, count]));
  return GROUPS.flatMap(({ code, title }) => {
    const count = counts.get(code) ?? 0;
    // The group of role addresses is shown even while these addresses are left out, so that the user can choose to keep
    // them.
    return count > 0 ? [<CheckGroup key={code} found={found} code={code} title={title} count={count} />] : [];
  });
}

function Unchecked({ domains, people }: Report['unchecked']) {
  return (
    <Typography variant="body2" color="textSecondary" sx={{ mt: 2 }}>
      {plural(domains, 'domain')} with {plural(people, 'person', 'people')} could not be checked: the name server gave
      no answer in time, or the file names too many below one domain. These people are imported.
    </Typography>
  );
}

function Domains({ report }: { report: Report }) {
  return (
    <Box component="section" aria-labelledby="import-domains" sx={{ mt: 3 }}>
      <Typography id="import-domains" variant="h3" component="h2" sx={{ mb: 1 }}>
        Companies
      </Typography>
      <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none', display: 'flex', flexWrap: 'wrap', columnGap: 3 }}>
        {report.domains.map(({ domain, people }) => (
          <Typography component="li" variant="body2" color="textSecondary" key={domain}>
            {plural(people, 'person', 'people')} at {domain}
          </Typography>
        ))}
      </Box>
    </Box>
  );
}
