import Box from '@mui/material/Box';
import Paper from '@mui/material/Paper';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { useParams } from 'react-router-dom';
import { isApiError } from '../../api/api-error';
import { client } from '../../api/client';
import { formatCount, formatDateTime, plural } from '../../lib/format';
import { routes } from '../../lib/routes';
import { sendTypeLabel } from '../../lib/roles';
import { SectionError } from '../../ui/loading/section-error';
import { PageSkeleton } from '../../ui/loading/skeletons';
import { NotFound } from '../../ui/page/not-found';
import { BackLink } from '../../ui/page/back-link';
import { Page, PageHeader } from '../../ui/page/page';
import { ChipList } from '../../ui/tag';
import { UrlTabs } from '../../ui/page/url-tabs';
import { messages, type HistoryEntry } from './api';
import { DeliveryLog } from './deliveries/delivery-log';
import { LeftOutLog } from './deliveries/left-out-log';
import { OutcomeCounts } from './outcome-counts';
import { SendControls } from './send-controls';
import { FilesWait, SendProgress, SendStatus, useProgress, useRefreshUnlisted } from './send-progress';
import { SentAudience } from './sent-audience';
import { SentFiles } from './sent-files';
import { SentMessage } from './sent-message';

/** One send: its progress or outcome, the message, and every delivery. */
export function HistoryEntryScreen() {
  const { entryId = '' } = useParams();
  return <LoadedEntry key={entryId} entryId={entryId} />;
}

function LoadedEntry({ entryId }: { entryId: string }) {
  const { data: entry, error, isFetching, refetch } = client.useGetHistoryEntryQuery({ id: entryId });
  useRefreshUnlisted(entryId, entry?.status === 'pending', refetch);
  if (isApiError(error) && error.status === 404) return <NotFound signedIn />;
  if (error && !entry) {
    return (
      <Page>
        <SectionError message={messages.entryFailed} pending={isFetching} onRetry={() => void refetch()} />
      </Page>
    );
  }
  return entry ? <Entry entry={entry} /> : <PageSkeleton />;
}

function Entry({ entry }: { entry: HistoryEntry }) {
  const isPending = entry.status === 'pending';
  const { counts: live, note } = useProgress(entry.id, isPending);
  const counts = (isPending && live) || entry.counts;
  const total = Number(entry.recipientCount);
  return (
    <Page>
      <PageHeader
        title={entry.subject}
        lead={<BackLink to={routes.history.path} label="Back to send history" />}
        badge={<SendStatus item={entry} />}
        action={<SendControls entry={entry} counts={counts} />}
        description={`${sendTypeLabel[entry.emailType]} to ${plural(entry.recipientCount, 'recipient')}, ${formatDateTime(entry.sentAt)}`}
      />
      <Stack sx={{ gap: 3 }}>
        {isPending && (
          <Paper variant="outlined" sx={{ p: 2.5 }}>
            <SendProgress counts={counts} total={total} note={note(total)} stopped={entry.stopped} />
            {entry.filesWait && <FilesWait wait={entry.filesWait} />}
          </Paper>
        )}
        <Paper variant="outlined" sx={{ overflow: 'hidden' }}>
          <OutcomeCounts counts={counts} />
        </Paper>
        <Section title="Message">
          <Paper variant="outlined" sx={{ p: 2.5 }}>
            <ChipList
              label="Lists"
              items={entry.lists.map((list, index) => ({ id: list.id ?? `gone-${index}`, text: list.name }))}
            />
            {entry.audience && <SentAudience audience={entry.audience} />}
            <Box sx={{ mt: 2, pt: 2, borderTop: 1, borderColor: 'divider' }}>
              <SentMessage
                subject={entry.subject}
                content={entry.content}
                html={entry.html}
                hasTables={entry.document !== null}
              />
            </Box>
            <SentFiles files={entry.files} />
          </Paper>
        </Section>
        <Section title="Delivery log">
          <Deliveries entry={entry} isPending={isPending} />
        </Section>
      </Stack>
    </Page>
  );
}

/** The delivery log, with a tab for people who were left out if there are any. */
function Deliveries({ entry, isPending }: { entry: HistoryEntry; isPending: boolean }) {
  const log = <DeliveryLog entryId={entry.id} isPending={isPending} />;
  if (!entry.counts.leftOut) return log;
  return (
    <UrlTabs
      label="Recipients"
      tabs={[
        { value: 'sent-to', label: 'Recipients', content: () => log },
        {
          value: 'left-out',
          label: `Left out (${formatCount(entry.counts.leftOut)})`,
          content: () => <LeftOutLog entryId={entry.id} />,
        },
      ]}
      clears={['q', 'status', 'reason', 'cursor', 'page', 'sort']}
    />
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Box component="section" aria-label={title}>
      <Typography variant="h2" sx={{ mb: 1.25 }}>
        {title}
      </Typography>
      {children}
    </Box>
  );
}
