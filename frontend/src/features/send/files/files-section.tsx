import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useEffect, useEffectEvent, useId, useRef, useState, type RefObject } from 'react';
import { formatDate } from '../../../lib/format';
import { useFileSpace, useKnownDocuments, type StoredFile } from '../../../shared/files/documents';
import { detailsText, DOCUMENT_ACCEPT, sizeText, titleOf } from '../../../shared/files/file-texts';
import type { EditorHandle } from '../../../ui/editor/editor-handle';
import { linkedFileIds } from '../../../ui/editor/document';
import { DropArea } from '../../../ui/form/drop-area';
import { FOLDERS_REFUSED } from '../../../ui/form/dropped-files';
import { FileInput } from '../../../ui/form/file-input';
import { IconLibrary, IconUpload } from '../../../ui/icons';
import { VisuallyHidden } from '../../../ui/visually-hidden';
import { usePreview } from '../api';
import type { DraftState } from '../use-draft';
import { bytesIfAttached, attachmentFault, type AttachmentLimits } from './attachment-limit';
import { ChosenRow } from './chosen-row';
import { filesOf, linkTo, withFile, withoutFile, type ChosenFile } from './chosen-files';
import { LibraryDialog } from './library-dialog';
import { fileMessages } from './messages';
import { UploadRow } from './upload-row';
import type { Uploads } from './use-uploads';

interface FilesSectionProps {
  state: DraftState;
  uploads: Uploads;
  editor: RefObject<EditorHandle | null>;
  /** Whether the step was opened by a finding about its files. */
  takesFocus: boolean;
}

const DAY_MS = 86_400_000;

/** The documents of the email, uploaded here or earlier, as links or attached. */
export function FilesSection({ state, uploads, editor, takesFocus }: FilesSectionProps) {
  const { draft, update } = state;
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  /** The file or upload that the next chosen file replaces. */
  const replacement = useRef<{ chosen: ChosenFile | null; uploadId?: string }>({ chosen: null });
  const [isChoosing, setChoosing] = useState(false);
  /** Why dropped items were not added; cleared when files are added. */
  const [dropFault, setDropFault] = useState<string | null>(null);
  const heading = useInitialFocus(takesFocus);
  useIgnoreOutsideDrops();
  const { data: space } = useFileSpace();
  const files = filesOf(draft);
  const known = useKnownDocuments(files.map(({ fileId }) => fileId));
  const placed = new Set(draft.document ? linkedFileIds(draft.document) : []);
  const limits = useAttachmentLimits(state, files.length === 0);
  const sizeOf = (fileId: string) => known.get(fileId)?.byteSize ?? 0;
  const choose = (chosen: ChosenFile | null = null, uploadId?: string) => {
    replacement.current = { chosen, uploadId };
    input.current?.click();
  };
  const add = (file: File, chosen: ChosenFile | null = null) =>
    uploads.add(file, { maxFileBytes: space?.fileBytes, replaced: chosen });
  return (
    <Box component="section" aria-labelledby={id}>
      <Typography id={id} ref={heading} tabIndex={-1} variant="h3" sx={{ mb: 1, outline: 'none' }}>
        Files{' '}
        <Box component="span" sx={{ color: 'text.secondary', fontWeight: 450 }}>
          (optional)
        </Box>
      </Typography>
      <DropArea
        onDrop={(dropped) => {
          dropped.files.forEach((file) => add(file));
          setDropFault(dropped.hasFolders ? FOLDERS_REFUSED : null);
        }}
        sx={{ display: 'flex', flexWrap: 'wrap', gap: 1.5, alignItems: 'center', p: 2 }}
      >
        <FileInput
          ref={input}
          label="Files to add"
          accept={DOCUMENT_ACCEPT}
          multiple
          onFile={(file) => {
            const { chosen, uploadId } = replacement.current;
            replacement.current = { chosen: null };
            if (uploadId) uploads.remove(uploadId);
            setDropFault(null);
            add(file, chosen);
          }}
        />
        <Button
          variant="outlined"
          color="inherit"
          startIcon={<IconUpload size={16} aria-hidden />}
          onClick={() => choose()}
        >
          Add files
        </Button>
        <Button
          variant="outlined"
          color="inherit"
          startIcon={<IconLibrary size={16} aria-hidden />}
          onClick={() => setChoosing(true)}
        >
          Choose from Library
        </Button>
        <Typography variant="body2" color="textSecondary" sx={{ flex: '1 1 14rem' }}>
          {`Or drop them here. PDF, Word, ODT or text${space ? `, up to ${sizeText(space.fileBytes)} each` : ''}.`}
        </Typography>
      </DropArea>
      {dropFault && (
        <Typography role="alert" variant="body2" color="error" sx={{ mt: 1 }}>
          {dropFault}
        </Typography>
      )}
      {files.length + uploads.uploads.length > 0 && (
        <Box
          component="ul"
          aria-label="Files of this email"
          sx={{ display: 'grid', gap: 1, m: 0, mt: 1.5, p: 0, listStyle: 'none' }}
        >
          {files.map((chosen) => (
            <ChosenRow
              key={chosen.fileId}
              chosen={chosen}
              isPlaced={placed.has(chosen.fileId)}
              attachmentFault={limits && attachmentFault(bytesIfAttached(files, chosen.fileId, sizeOf), limits)}
              onChange={(next) => update((now) => ({ files: withFile(now.files, next) }))}
              onRemove={() => {
                editor.current?.removeFileLinks(chosen.fileId);
                update((now) => ({ files: withoutFile(now.files, chosen.fileId) }));
              }}
              onPlace={
                draft.document
                  ? (file) => {
                      update((now) => ({ files: withFile(now.files, chosen) }));
                      editor.current?.insertFileLink(file.id, titleOf(file));
                    }
                  : undefined
              }
              onChooseAnother={() => choose(chosen)}
            />
          ))}
          {uploads.uploads.map((upload) => (
            <UploadRow
              key={upload.id}
              upload={upload}
              onRemove={() => uploads.remove(upload.id)}
              onChooseAnother={() => choose(upload.replaced, upload.id)}
            />
          ))}
        </Box>
      )}
      <FilesBlock files={files.filter(({ fileId, as }) => as === 'link' && !placed.has(fileId))} known={known} />
      <div role="status">
        <VisuallyHidden>{uploads.announcement}</VisuallyHidden>
      </div>
      {isChoosing && (
        <LibraryDialog
          chosen={files.map(({ fileId }) => fileId)}
          onChoose={(ids) => {
            setChoosing(false);
            update((now) => ({ files: [...(now.files ?? []), ...ids.map(linkTo)] }));
          }}
          onClose={() => setChoosing(false)}
        />
      )}
    </Box>
  );
}

/** Shows how the mail lists the files that its text does not link to. */
function FilesBlock({ files, known }: { files: readonly ChosenFile[]; known: ReadonlyMap<string, StoredFile> }) {
  const [now] = useState(() => Date.now());
  const lines = files.flatMap(({ fileId, expiresInDays }) => {
    const file = known.get(fileId);
    if (!file || file.state === 'gone' || file.state === 'refused') return [];
    const until = formatDate(new Date(now + expiresInDays * DAY_MS).toISOString());
    return [{ fileId, text: `${titleOf(file)} (${detailsText(file)}), until ${until}` }];
  });
  if (lines.length === 0) return null;
  return (
    <Typography variant="body2" color="textSecondary" component="div" sx={{ mt: 1.5 }}>
      {fileMessages.block}
      <Box
        component="ul"
        aria-label="Files listed above the signature"
        sx={{ m: 0, mt: 0.5, pl: 2.5, overflowWrap: 'anywhere' }}
      >
        {lines.map(({ fileId, text }) => (
          <li key={fileId}>{text}</li>
        ))}
      </Box>
    </Typography>
  );
}

/**
 * Limits for attached files with the chosen recipients.
 * @returns null while the limits are unknown
 */
function useAttachmentLimits({ draft }: DraftState, skip: boolean): AttachmentLimits | null {
  const { emailListIds, emailType, audience } = draft;
  const { data: space } = useFileSpace();
  const { currentData } = usePreview(
    skip
      ? { emailListIds: [], emailType, audience: { ...audience, segmentIds: [] } }
      : { emailListIds, emailType, audience },
  );
  if (!space || !currentData) return null;
  return {
    maxBytes: space.attachmentBytes,
    budgetBytes: space.attachmentBudgetBytes,
    allowedBytes: currentData.attachmentMaxBytes,
  };
}

function useInitialFocus(takesFocus: boolean) {
  const heading = useRef<HTMLHeadingElement>(null);
  const show = useEffectEvent(() => {
    if (!takesFocus) return;
    heading.current?.focus();
    heading.current?.scrollIntoView({ block: 'center' });
  });
  useEffect(() => show(), []);
  return heading;
}

/** Ignores files that are dropped outside the drop area; otherwise the browser would open them instead of this page. */
function useIgnoreOutsideDrops(): void {
  useEffect(() => {
    const keep = (event: DragEvent) => {
      if (event.dataTransfer?.types.includes('Files')) event.preventDefault();
    };
    window.addEventListener('dragover', keep);
    window.addEventListener('drop', keep);
    return () => {
      window.removeEventListener('dragover', keep);
      window.removeEventListener('drop', keep);
    };
  }, []);
}
