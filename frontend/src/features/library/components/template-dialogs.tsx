import { DeleteDialog } from '../../../ui/dialog/delete-dialog';
import { NameDialog } from '../../../ui/dialog/name-dialog';
import { useTemplateActions, type TemplateSummary } from '../api';

interface DialogProps {
  template: TemplateSummary;
  onClose: () => void;
}

export function RenameTemplate({ template, onClose }: DialogProps) {
  const { rename } = useTemplateActions();
  return (
    <NameDialog
      title="Rename template"
      submitLabel="Rename"
      name={template.name}
      onSubmit={async (name) => void (await rename(template, name))}
      onClose={onClose}
    />
  );
}

export function DeleteTemplate({ template, onClose }: DialogProps) {
  const { remove } = useTemplateActions();
  return (
    <DeleteDialog title={`Delete "${template.name}"?`} onDelete={() => remove(template.id)} onClose={onClose}>
      Sends made from it stay.
    </DeleteDialog>
  );
}
