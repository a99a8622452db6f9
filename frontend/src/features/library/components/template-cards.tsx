import Typography from '@mui/material/Typography';
import { useNavigate } from 'react-router-dom';
import { errorMessage } from '../../../api/api-error';
import { plural } from '../../../lib/format';
import { sendTypeLabel, type SendType } from '../../../lib/roles';
import { libraryTemplatePath, sendDraftPath } from '../../../lib/routes';
import type { Template } from '../../../ui/editor/built-in-templates';
import { documentText } from '../../../ui/editor/document';
import { IconCopy, IconDelete, IconEdit, IconSend, IconTemplate } from '../../../ui/icons';
import { RelativeTime } from '../../../ui/relative-time';
import { Tag } from '../../../ui/tag';
import { useToast } from '../../../ui/toast/toast';
import { useStartDraft, useTemplateActions, type TemplateSummary } from '../api';
import { messages } from '../messages';
import { ActionMenu } from '../../../ui/action-menu';
import { LinkedCard } from '../../../ui/linked-card';

/** Runs an action, and shows a toast if it fails. */
function useActionWithToast() {
  const toast = useToast();
  return (act: () => Promise<unknown>) =>
    void act().catch((error: unknown) =>
      toast({ title: messages.failed, description: errorMessage(error, messages.tryAgain), variant: 'destructive' }),
    );
}

/** A built-in template, which can be used and copied but not changed. */
export function BuiltInCard({ type, template }: { type: SendType; template: Template }) {
  const navigate = useNavigate();
  const { fromBuiltIn } = useStartDraft();
  const { create } = useTemplateActions();
  const attempt = useActionWithToast();
  const toast = useToast();
  const use = () => attempt(async () => navigate(sendDraftPath(await fromBuiltIn(type, template.document))));
  const duplicate = () =>
    attempt(async () => {
      const { name } = await create(`${template.name} copy`, type, template.document);
      toast({ title: 'Template Saved!', description: name, variant: 'success' });
    });
  return (
    <LinkedCard
      title={template.name}
      onPress={use}
      text={documentText(template.document)}
      foot={
        <>
          <Tag accent>Built in</Tag>
          <Tag>{sendTypeLabel[type]}</Tag>
        </>
      }
      menu={
        <ActionMenu
          label={`Actions for ${template.name}`}
          actions={[
            { label: 'Use', icon: IconSend, onChoose: use },
            { label: 'Duplicate', icon: IconCopy, onChoose: duplicate },
          ]}
        />
      }
    />
  );
}

interface TemplateCardProps {
  template: TemplateSummary;
  onRename: () => void;
  onDelete: () => void;
}

/** A template of the user. */
export function TemplateCard({ template, onRename, onDelete }: TemplateCardProps) {
  const { id, name, emailType, subject, useCount, updatedAt } = template;
  const navigate = useNavigate();
  const { fromOwn } = useStartDraft();
  const { duplicate } = useTemplateActions();
  const attempt = useActionWithToast();
  return (
    <LinkedCard
      title={name}
      to={libraryTemplatePath(id)}
      text={subject ?? 'No subject'}
      foot={
        <>
          <Tag>{sendTypeLabel[emailType]}</Tag>
          {useCount > 0 && <Tag>{`used ${plural(useCount, 'time')}`}</Tag>}
          <Typography variant="caption" color="textSecondary" sx={{ ml: 'auto', position: 'relative', zIndex: 1 }}>
            <RelativeTime iso={updatedAt} />
          </Typography>
        </>
      }
      menu={
        <ActionMenu
          label={`Actions for ${template.name}`}
          actions={[
            {
              label: 'Use',
              icon: IconSend,
              onChoose: () => attempt(async () => navigate(sendDraftPath(await fromOwn(id)))),
            },
            { label: 'Edit', icon: IconEdit, onChoose: () => void navigate(libraryTemplatePath(id)) },
            { label: 'Rename', icon: IconTemplate, onChoose: onRename },
            { label: 'Duplicate', icon: IconCopy, onChoose: () => attempt(() => duplicate(id)) },
            { label: 'Delete', icon: IconDelete, onChoose: onDelete, destructive: true },
          ]}
        />
      }
    />
  );
}
