import Button from '@mui/material/Button';
import CircularProgress from '@mui/material/CircularProgress';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useRef, useState, type FormEvent } from 'react';
import { isApiError, toApiError, type ApiError } from '../../api/api-error';
import { useFetchQuery } from '../../api/fetch-json';
import { formatDate } from '../../lib/format';
import { usePathPart } from '../../lib/navigation';
import { detailsText } from '../../shared/files/file-texts';
import { SubmitButton } from '../../ui/form/submit-button';
import { IconClock, IconDownload, IconError, IconFile } from '../../ui/icons';
import { PlainCard, ResultPage } from '../../ui/page/public-page';
import { absenceOf, downloadPath, findSharedFile, sharedFilePath, type SharedFile } from './api';
import { ReportFile } from './report-file';

/** The page of a link to a file. Opening it is not counted as a download, because mail scanners open every link. */
export function SharedFileScreen() {
  const token = usePathPart('sharedFile', 'token');
  const { data, error, isFetching, refetch } = useFetchQuery<SharedFile>(sharedFilePath(token));
  const [refusal, setRefusal] = useState<ApiError | null>(null);
  const fault = refusal ?? (data ? null : error);
  const again = async () => {
    await refetch();
    setRefusal(null);
  };
  return (
    <PlainCard>
      {fault ? (
        <NoFile error={fault} pending={isFetching} onRetry={() => void again()} />
      ) : data ? (
        <File token={token} file={data} onRefused={setRefusal} />
      ) : (
        <ResultPage icon={<CircularProgress size={24} aria-label="Loading" />} title="Loading the file" busy />
      )}
    </PlainCard>
  );
}

interface FileProps {
  token: string;
  file: SharedFile;
  /** Called when the file cannot be downloaded any more. */
  onRefused: (error: ApiError) => void;
}

function File({ token, file, onRefused }: FileProps) {
  const form = useRef<HTMLFormElement>(null);
  const [state, setState] = useState<'ready' | 'asking' | 'begun'>('ready');
  const { name, senderName, senderAgency, expiresAt } = file;
  // Submitting the form downloads the file. A refusal would replace this page, so the file is checked first.
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setState('asking');
    try {
      await findSharedFile(token);
      form.current?.submit();
      setState('begun');
    } catch (error) {
      onRefused(isApiError(error) ? error : toApiError({ status: 'FETCH_ERROR', error: '' }));
    }
  };
  return (
    <ResultPage
      icon={IconFile}
      title={name}
      text={
        <>
          {detailsText(file)}
          <br />
          {`Shared by ${senderName}${senderAgency ? `, ${senderAgency}` : ''} until ${formatDate(expiresAt)}`}
        </>
      }
    >
      <Stack sx={{ gap: 2, alignItems: 'flex-start' }}>
        <form ref={form} method="post" action={downloadPath(token)} onSubmit={(event) => void submit(event)}>
          <SubmitButton
            size="large"
            pending={state === 'asking'}
            startIcon={<IconDownload size={18} aria-hidden />}
            loadingPosition="start"
          >
            Download
          </SubmitButton>
        </form>
        <Typography role="status" variant="body2" color="textSecondary" sx={{ '&:empty': { display: 'none' } }}>
          {state === 'begun' ? 'The download has begun.' : ''}
        </Typography>
        <ReportFile token={token} />
      </Stack>
    </ResultPage>
  );
}

function NoFile({ error, pending, onRetry }: { error: ApiError; pending: boolean; onRetry: () => void }) {
  const { title, text, mayReturn, sender } = absenceOf(error);
  return (
    <ResultPage
      icon={mayReturn ? IconClock : IconError}
      tone={mayReturn ? 'warning' : 'neutral'}
      title={title}
      text={text}
    >
      {sender && (
        <Button
          variant="contained"
          size="large"
          href={`mailto:${encodeURIComponent(sender.email).replaceAll('%40', '@')}`}
        >
          {`Ask ${sender.name}`}
        </Button>
      )}
      {mayReturn && (
        <SubmitButton type="button" size="large" pending={pending} onClick={onRetry}>
          Try again
        </SubmitButton>
      )}
    </ResultPage>
  );
}
