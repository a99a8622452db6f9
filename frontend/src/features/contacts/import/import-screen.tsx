import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import { useState } from 'react';
import { useNavigate, useParams } from 'react-router-dom';
import { errorMessage, isApiError } from '../../../api/api-error';
import { client } from '../../../api/client';
import { routes } from '../../../lib/routes';
import { ProgressBar } from '../../../ui/loading/progress-bar';
import { SectionError } from '../../../ui/loading/section-error';
import { PageSkeleton } from '../../../ui/loading/skeletons';
import { NotFound } from '../../../ui/page/not-found';
import { BackLink } from '../../../ui/page/back-link';
import { Page, PageHeader } from '../../../ui/page/page';
import { useToast } from '../../../ui/toast/toast';
import { isUnfinished, messages, nameOf, stepOf, type Import } from './api';
import { CheckStep } from './check-step';
import { ColumnsStep } from './columns-step';
import { FailedStep, NewImportButton } from './failed/failed-step';
import { ResultStep } from './result-step';
import { StepStrip } from './step-strip';

/** One import, from reading the file to the result. */
export function ImportScreen() {
  const { importId = '' } = useParams();
  return <LoadedImport key={importId} importId={importId} />;
}

function LoadedImport({ importId }: { importId: string }) {
  const { data, error, isFetching, refetch } = client.useGetAccountImportQuery({ id: importId });
  if (isApiError(error) && error.status === 404) return <NotFound signedIn />;
  if (error && !data)
    return (
      <Page>
        <SectionError message={messages.loadFailed} pending={isFetching} onRetry={() => void refetch()} />
      </Page>
    );
  return data ? <ImportView found={data} /> : <PageSkeleton />;
}

function ImportView({ found }: { found: Import }) {
  const [isMapping, setMapping] = useState(false);
  // The columns can be viewed again after the check; changing them takes the import back to that step.
  const showsColumns = found.status === 'mapping' || (found.status === 'ready' && isMapping);
  return (
    <Page>
      <PageHeader
        title={nameOf(found)}
        lead={<BackLink to={routes.contactImport.path} label="Back to imports" />}
        action={isUnfinished(found) && <DiscardButton found={found} />}
      />
      <StepStrip step={showsColumns ? 'Columns' : stepOf(found)} isOver={found.status === 'done'} />
      {found.encoding === 'windows1252' && isUnfinished(found) && (
        <Alert severity="info" sx={{ mb: 2 }}>
          This file is not UTF-8. It was read as Windows-1252: please look at the accents below.
        </Alert>
      )}
      {showsColumns ? (
        <ColumnsStep
          key={`${found.sheet}-${found.hasHeader}`}
          found={found}
          onChecking={() => setMapping(false)}
          onBack={found.status === 'ready' ? () => setMapping(false) : undefined}
        />
      ) : (
        <Stage found={found} onColumns={() => setMapping(true)} />
      )}
    </Page>
  );
}

function Stage({ found, onColumns }: { found: Import; onColumns: () => void }) {
  const { progress, status } = found;
  switch (status) {
    case 'uploading':
    case 'reading':
      return <ProgressBar label="Reading the file" {...progress} />;
    case 'checking':
      return <ProgressBar label="Checking the lines" {...progress} note={messages.nothingYet} />;
    case 'ready':
      return <CheckStep found={found} onColumns={onColumns} />;
    case 'running':
      return found.stage === 'undo' ? (
        <ProgressBar label="Undoing the import" {...progress} />
      ) : (
        <ProgressBar label="Importing contacts" {...progress} note="You can leave this page." />
      );
    case 'done':
    case 'undone':
      return <ResultStep found={found} />;
    case 'discarded':
      return (
        <Alert severity="info" action={<NewImportButton />}>
          This import was discarded. Nothing of it is kept.
        </Alert>
      );
    default:
      return <FailedStep found={found} />;
  }
}

function DiscardButton({ found }: { found: Import }) {
  const [discard, { isLoading }] = client.useDiscardImportMutation();
  const navigate = useNavigate();
  const toast = useToast();
  const drop = async () => {
    try {
      await discard({ id: found.id }).unwrap();
      void navigate(routes.contactImport.path, { replace: true });
    } catch (fault) {
      toast({ title: 'Not discarded', description: errorMessage(fault, messages.tryAgain), variant: 'destructive' });
    }
  };
  return (
    <Button variant="outlined" color="inherit" loading={isLoading} onClick={() => void drop()}>
      Discard
    </Button>
  );
}
