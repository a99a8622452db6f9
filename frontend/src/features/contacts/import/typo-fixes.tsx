import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Paper from '@mui/material/Paper';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { errorMessage } from '../../../api/api-error';
import { client } from '../../../api/client';
import { plural } from '../../../lib/format';
import { useToast } from '../../../ui/toast/toast';
import { messages, type Import, type Report } from './api';

/** Domains that look mistyped, each with the possible corrections. */
export function TypoFixes({ found, typos }: { found: Import; typos: Report['typos'] }) {
  const [fix] = client.useFixImportDomainMutation();
  const [pending, setPending] = useState<string | null>(null);
  const toast = useToast();
  const decide = async (from: string, how: { to: string } | { drop: true } | object) => {
    setPending(from);
    try {
      await fix({ id: found.id, fixDomainDto: { from, ...how } }).unwrap();
    } catch (fault) {
      toast({
        title: messages.changeFailed,
        description: errorMessage(fault, messages.tryAgain),
        variant: 'destructive',
      });
    } finally {
      setPending(null);
    }
  };
  return (
    <Paper component="ul" variant="outlined" aria-label="Looks mistyped" sx={{ m: 0, p: 0, mb: 2, listStyle: 'none' }}>
      {typos.map(({ from, to, rows }, index) => (
        <Stack
          component="li"
          direction="row"
          key={from}
          sx={{
            gap: 1,
            px: 2.5,
            py: 1.25,
            flexWrap: 'wrap',
            alignItems: 'center',
            borderTop: index ? 1 : 0,
            borderColor: 'divider',
          }}
        >
          <Typography sx={{ flex: '1 1 18rem', overflowWrap: 'anywhere' }}>
            <Typography component="span" variant="mono">
              {from}
            </Typography>
            , {plural(rows, 'row')}: did you mean{' '}
            <Typography component="span" variant="mono">
              {to}
            </Typography>
            ?
          </Typography>
          <Box sx={{ display: 'flex', gap: 1, flexWrap: 'wrap' }}>
            <Button
              size="small"
              variant="outlined"
              disabled={pending !== null}
              aria-label={`Fix all of ${from}`}
              onClick={() => void decide(from, { to })}
            >
              Fix all
            </Button>
            <Button
              size="small"
              color="inherit"
              disabled={pending !== null}
              aria-label={`Keep ${from}`}
              onClick={() => void decide(from, {})}
            >
              Keep
            </Button>
            <Button
              size="small"
              color="inherit"
              disabled={pending !== null}
              aria-label={`Leave out ${from}`}
              onClick={() => void decide(from, { drop: true })}
            >
              Leave out
            </Button>
          </Box>
        </Stack>
      ))}
    </Paper>
  );
}
