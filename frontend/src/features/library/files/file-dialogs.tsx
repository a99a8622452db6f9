import { plural } from '../../../lib/format';
import type { StoredFile } from '../../../shared/files/documents';
import { titleOf } from '../../../shared/files/file-texts';
import { DeleteDialog } from '../../../ui/dialog/delete-dialog';
import { NameDialog } from '../../../ui/dialog/name-dialog';
import { useFileActions, type FileLink } from '../api';

export function RenameFile({ file, onClose }: { file: StoredFile; onClose: () => void }) {
  const { rename } = useFileActions();
  return (
    <NameDialog
      title="Rename file"
      submitLabel="Rename"
      name={titleOf(file)}
      onSubmit={async (name) => void (await rename(file.id, name))}
      onClose={onClose}
    />
  );
}

export function DeleteFile({
  file,
  onDeleted,
  onClose,
}: {
  file: StoredFile;
  onDeleted: () => void;
  onClose: () => void;
}) {
  const { remove } = useFileActions();
  return (
    <DeleteDialog
      title={`Delete "${file.name}"?`}
      onDelete={async () => {
        await remove(file.id);
        onDeleted();
      }}
      onClose={onClose}
    >
      {file.usedIn > 0 && `Links in ${plural(file.usedIn, 'sent email')} stop working. `}
      This action cannot be undone.
    </DeleteDialog>
  );
}

export function StopLink({ link, onClose }: { link: FileLink; onClose: () => void }) {
  const { stop } = useFileActions();
  return (
    <DeleteDialog
      title={`Stop the link in "${link.subject}"?`}
      confirmLabel="Stop link"
      onDelete={() => stop(link.id)}
      onClose={onClose}
    >
      Its readers cannot download the file any more. The link stays stopped.
    </DeleteDialog>
  );
}
