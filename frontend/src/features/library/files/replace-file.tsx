import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogContentText from '@mui/material/DialogContentText';
import DialogTitle from '@mui/material/DialogTitle';
import LinearProgress from '@mui/material/LinearProgress';
import Typography from '@mui/material/Typography';
import { useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import { errorMessage } from '../../../api/api-error';
import {
  refusalOf,
  useDocument,
  useFileSpace,
  useUploadDocument,
  type StoredFile,
} from '../../../shared/files/documents';
import { DOCUMENT_ACCEPT, sizeText } from '../../../shared/files/file-texts';
import { isStopped } from '../../../shared/files/upload-document';
import { plural } from '../../../lib/format';
import { FileInput } from '../../../ui/form/file-input';
import { SubmitButton } from '../../../ui/form/submit-button';
import { DialogError } from '../../../ui/dialog/dialog-error';
import { useToast } from '../../../ui/toast/toast';
import { useFileActions } from '../api';
import { messages } from '../messages';

/** The document that will replace the file. */
interface Version {
  id: string;
  name: string;
  /** Whether the version was uploaded for this replacement, so that it is deleted if it is not used. */
  isNew: boolean;
}

type Phase =
  | { name: 'choosing'; error?: string }
  | { name: 'uploading'; file: File; sent: number }
  | { name: 'checking'; version: Version }
  | { name: 'replacing'; version: Version };

/** Replaces a file by a new version, under the same name. Links of sent emails lead to the new version. */
export function ReplaceFile({ file, onClose }: { file: StoredFile; onClose: () => void }) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const uploading = useRef<AbortController>(null);
  const [phase, setPhase] = useState<Phase>({ name: 'choosing' });
  const { data: space } = useFileSpace();
  const upload = useUploadDocument();
  const { remove } = useFileActions();
  useEffect(() => () => uploading.current?.abort(), []);

  const take = async (chosen: File) => {
    const error = refusalOf(chosen, space?.fileBytes);
    if (error) return setPhase({ name: 'choosing', error });
    const controller = new AbortController();
    uploading.current = controller;
    setPhase({ name: 'uploading', file: chosen, sent: 0 });
    try {
      const onProgress = (sent: number) => setPhase({ name: 'uploading', file: chosen, sent });
      const stored = await upload(chosen, { onProgress, signal: controller.signal });
      if (stored.id === file.id) return setPhase({ name: 'choosing', error: messages.sameFile });
      setPhase({ name: 'checking', version: { ...stored, name: chosen.name } });
    } catch (fault) {
      setPhase({ name: 'choosing', error: isStopped(fault) ? undefined : errorMessage(fault, messages.replaceFailed) });
    }
  };
  /** Deletes a version that was uploaded only for this replacement. */
  const drop = (version: Version, error: string) => {
    if (version.isNew) void remove(version.id).catch(() => undefined);
    setPhase({ name: 'choosing', error });
  };
  const cancel = () => {
    // The server may have replaced the file already, so nothing is deleted. The server's answer closes the dialog.
    if (phase.name === 'replacing') return;
    if (phase.name === 'checking' && phase.version.isNew) void remove(phase.version.id).catch(() => undefined);
    onClose();
  };
  return (
    <Dialog open onClose={cancel} maxWidth="xs" fullWidth aria-labelledby={id}>
      <DialogTitle id={id} sx={{ overflowWrap: 'anywhere' }}>{`Replace "${file.name}"`}</DialogTitle>
      <DialogContent>
        <DialogContentText>
          {file.usedIn > 0
            ? `Links in ${plural(file.usedIn, 'sent email')} lead to the new version. Its name stays.`
            : 'The new version takes its place. Its name stays.'}
        </DialogContentText>
        <Box sx={{ mt: 2 }}>
          {phase.name === 'uploading' && (
            <>
              <Typography variant="body2" sx={{ mb: 1, overflowWrap: 'anywhere' }}>
                {`${phase.file.name}: ${sizeText(phase.sent)} of ${sizeText(phase.file.size)}`}
              </Typography>
              <LinearProgress
                variant="determinate"
                value={(phase.sent / phase.file.size) * 100}
                aria-label={`Uploading ${phase.file.name}`}
              />
            </>
          )}
          {(phase.name === 'checking' || phase.name === 'replacing') && (
            <Takeover
              file={file}
              version={phase.version}
              onBegun={() => setPhase({ name: 'replacing', version: phase.version })}
              onDone={onClose}
              onFailed={(error) => drop(phase.version, error)}
            />
          )}
        </Box>
        {phase.name === 'choosing' && <DialogError error={phase.error} />}
        <FileInput ref={input} label="New version" accept={DOCUMENT_ACCEPT} onFile={(chosen) => void take(chosen)} />
      </DialogContent>
      <DialogActions>
        <Button variant="outlined" color="inherit" disabled={phase.name === 'replacing'} onClick={cancel}>
          Cancel
        </Button>
        <SubmitButton type="button" pending={phase.name !== 'choosing'} onClick={() => input.current?.click()}>
          {phase.name === 'choosing' && phase.error ? 'Choose another' : 'Choose a file'}
        </SubmitButton>
      </DialogActions>
    </Dialog>
  );
}

interface TakeoverProps {
  file: StoredFile;
  version: Version;
  /** Called when the replacement was requested. */
  onBegun: () => void;
  onDone: () => void;
  onFailed: (error: string) => void;
}

/** Waits until the new version was scanned, which the event stream reports, and then replaces the file. */
function Takeover({ file, version, onBegun, onDone, onFailed }: TakeoverProps) {
  const { state } = useDocument(version.id);
  const { replace } = useFileActions();
  const toast = useToast();
  const isBegun = useRef(false);
  const go = useEffectEvent(async () => {
    if (state === 'refused') return onFailed(messages.infected);
    if (state !== 'ready' || isBegun.current) return;
    isBegun.current = true;
    onBegun();
    try {
      await replace(file.id, version.id);
      toast({ title: `${file.name} was replaced.`, variant: 'success' });
      onDone();
    } catch (error) {
      onFailed(errorMessage(error, messages.replaceFailed));
    }
  });
  useEffect(() => void go(), [state]);
  return (
    <Typography role="status" variant="body2" sx={{ overflowWrap: 'anywhere' }}>
      {`${version.name}: ${state === 'ready' ? 'replacing…' : 'Checking…'}`}
    </Typography>
  );
}
