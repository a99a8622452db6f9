import Button from '@mui/material/Button';
import { useState } from 'react';
import { IconTemplate } from '../ui/icons';
import { NameDialog } from '../ui/dialog/name-dialog';
import { useToast } from '../ui/toast/toast';

const MAX_NAME_LENGTH = 100;

interface SaveAsTemplateProps {
  /** Subject of the message: the suggested name. */
  subject: string;
  disabled?: boolean;
  onSave: (name: string) => Promise<unknown>;
}

/** Asks for a name and saves a message as a template of the user's own. */
export function SaveAsTemplate({ subject, disabled, onSave }: SaveAsTemplateProps) {
  const [isNaming, setNaming] = useState(false);
  const toast = useToast();
  return (
    <>
      <Button
        variant="outlined"
        color="inherit"
        startIcon={<IconTemplate size={16} aria-hidden />}
        disabled={disabled}
        onClick={() => setNaming(true)}
      >
        Save as template
      </Button>
      {isNaming && (
        <NameDialog
          title="Save as template"
          submitLabel="Save template"
          name={subject.trim().slice(0, MAX_NAME_LENGTH)}
          onClose={() => setNaming(false)}
          onSubmit={async (name) => {
            await onSave(name);
            toast({ title: 'Template Saved!', description: name, variant: 'success' });
          }}
        />
      )}
    </>
  );
}
