import Box from '@mui/material/Box';
import Paper from '@mui/material/Paper';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useId, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { errorMessage } from '../../../api/api-error';
import { importRunPath, routes } from '../../../lib/routes';
import { useAddress } from '../../../lib/use-address';
import { mono } from '../../../theme/typography';
import { SubmitButton } from '../../../ui/form/submit-button';
import { BackLink } from '../../../ui/page/back-link';
import { Page, PageHeader } from '../../../ui/page/page';
import { messages, useStart } from './api';
import { DropZone } from './drop-zone';
import { Refusal } from './failed/refusal';
import { RecentImports } from './recent-imports';

/** Takes a file or pasted rows, and shows earlier imports. */
export function ImportStartScreen() {
  const id = useId();
  const [text, setText] = useState('');
  const [sending, setSending] = useState<{ file: string | null } | null>(null);
  const [error, setError] = useState<string>();
  const start = useStart();
  const navigate = useNavigate();
  const { params } = useAddress();
  const list = params.get('list') ?? undefined;
  const begin = async (source: { text: string } | { file: File }) => {
    setError(undefined);
    setSending({ file: 'file' in source ? source.file.name : null });
    try {
      void navigate(importRunPath(await start(source), list));
    } catch (fault) {
      setError(`${messages.startFailed}. ${errorMessage(fault, messages.tryAgain)}`);
      setSending(null);
    }
  };
  return (
    <Page>
      <PageHeader
        title="Import contacts"
        lead={<BackLink to={routes.contacts.path} label="Back to contacts" />}
        description="You see who gets in, who does not and why, before anything happens."
      />
      {error && <Refusal text={error} onDismiss={() => setError(undefined)} />}
      <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: { xs: '1fr', md: '1fr 1fr' }, mb: 4 }}>
        <DropZone
          sending={sending?.file ?? null}
          disabled={sending !== null}
          onFile={(file) => void begin({ file })}
          onRefused={setError}
        />
        <Paper
          component="form"
          variant="outlined"
          onSubmit={(event) => {
            event.preventDefault();
            void begin({ text });
          }}
          sx={{ p: 2.5, display: 'grid', gap: 1.5, alignContent: 'start' }}
        >
          <Typography variant="h2" component="h2" id={`${id}-paste`} sx={{ fontSize: '1rem' }}>
            Paste rows
          </Typography>
          <TextField
            id={`${id}-text`}
            multiline
            minRows={5}
            maxRows={12}
            value={text}
            onChange={(event) => setText(event.target.value)}
            placeholder={'Carver, Lee <lee@vendor.example>; maya@vendor.example'}
            helperText="Rows of a spreadsheet, a To line of Outlook or Gmail, or one address a line."
            slotProps={{
              htmlInput: {
                'aria-labelledby': `${id}-paste`,
                spellCheck: false,
                autoCapitalize: 'none',
                style: { fontFamily: mono },
              },
            }}
          />
          <SubmitButton
            pending={sending !== null && sending.file === null}
            disabled={text.trim() === '' || sending !== null}
          >
            Continue
          </SubmitButton>
        </Paper>
      </Box>
      <RecentImports />
    </Page>
  );
}
