import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { client } from '../../../api/client';
import { IconPlus } from '../../../ui/icons';
import { DataAge } from '../../../ui/loading/data-age';
import { QueryError } from '../../../ui/loading/section-error';
import type { MailAccount } from '../api';
import { ConfirmActionDialog, type AdminAction } from '../confirm-action-dialog';
import { messages } from '../messages';
import { useMailAccountActions } from './mail-account-actions';
import { MailAccountCard } from './mail-account-card';
import { MailAccountDialog } from './mail-account-dialog';
import { MailboxProviderRates } from './mailbox-provider-rates';
import { TestMailDialog } from './test-mail-dialog';

/** The mail accounts with their health, and the rates of the mailbox providers. */
export function MailAccountsTab() {
  // Refetched whenever this tab is opened: people open it when mail stops, and old data would mislead them. The event
  // stream does not report every accepted message, so Refresh fetches the time of the last one.
  const query = client.useListProvidersQuery(undefined, { refetchOnMountOrArgChange: true });
  const { data, error } = query;
  const { data: secrets } = client.useListProviderSecretsQuery();
  const [action, setAction] = useState<AdminAction | null>(null);
  const [dialog, setDialog] = useState<{ kind: 'add' } | { kind: 'edit' | 'test'; account: MailAccount } | null>(null);
  const actionOf = useMailAccountActions();
  const close = () => setDialog(null);
  if (error && !data) return <QueryError query={query} text={messages.loadFailed} />;
  return (
    <>
      <Box
        sx={{ display: 'flex', gap: 1.5, flexWrap: 'wrap', alignItems: 'center', justifyContent: 'flex-end', mb: 1.5 }}
      >
        {secrets?.length === 0 && (
          <Typography variant="body2" color="textSecondary" sx={{ flex: '1 1 280px' }}>
            A further account needs its secret in the configuration first: a setting SMTP_URL_… (a whole address), or
            SMTP_PASSWORD_… with the server it belongs to in SMTP_HOST_…
          </Typography>
        )}
        <DataAge query={query} name="mail accounts" />
        <Button
          variant="contained"
          disabled={!secrets?.length}
          startIcon={<IconPlus size={16} aria-hidden />}
          onClick={() => setDialog({ kind: 'add' })}
        >
          Add Account
        </Button>
      </Box>
      <Box
        sx={{ display: 'grid', gap: 2, gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'repeat(2, minmax(0, 1fr))' } }}
      >
        {!data && <Skeleton variant="rounded" height={190} />}
        {data?.map((account) => (
          <MailAccountCard
            key={account.id}
            account={account}
            onTest={() => setDialog({ kind: 'test', account })}
            onEdit={() => setDialog({ kind: 'edit', account })}
            onAction={(name) => setAction(actionOf(name, account))}
          />
        ))}
      </Box>
      <MailboxProviderRates />
      {action && <ConfirmActionDialog action={action} onClose={() => setAction(null)} />}
      {dialog?.kind === 'add' && <MailAccountDialog secrets={secrets ?? []} onClose={close} />}
      {dialog?.kind === 'edit' && (
        <MailAccountDialog account={dialog.account} secrets={secrets ?? []} onClose={close} />
      )}
      {dialog?.kind === 'test' && <TestMailDialog account={dialog.account} onClose={close} />}
    </>
  );
}
