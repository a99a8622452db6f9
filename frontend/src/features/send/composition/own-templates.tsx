import Button from '@mui/material/Button';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import { useState } from 'react';
import { Link as RouterLink } from 'react-router-dom';
import { errorMessage } from '../../../api/api-error';
import { routes } from '../../../lib/routes';
import { SaveAsTemplate } from '../../../shared/save-as-template';
import { documentFromText, isEmptyDocument } from '../../../ui/editor/document';
import { IconFile } from '../../../ui/icons';
import { useToast } from '../../../ui/toast/toast';
import { useApplyTemplate, useOwnTemplates, useSaveAsTemplate } from '../api';
import type { Draft } from '../draft';
import type { Template } from './templates';

/** The user's own templates, and saving the message as one. */
export function OwnTemplates({ draft, onPick }: { draft: Draft; onPick: (template: Template) => void }) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const { data } = useOwnTemplates(draft.emailType);
  const apply = useApplyTemplate();
  const save = useSaveAsTemplate();
  const toast = useToast();
  const own = data?.rows ?? [];
  const document = draft.document ?? documentFromText(draft.content);
  const use = async (id: string) => {
    setAnchor(null);
    try {
      onPick(await apply(id));
    } catch (error) {
      toast({
        title: 'That template could not be loaded.',
        description: errorMessage(error, ''),
        variant: 'destructive',
      });
    }
  };
  return (
    <>
      {own.length > 0 && (
        <Button
          variant="outlined"
          color="inherit"
          startIcon={<IconFile size={16} aria-hidden />}
          aria-haspopup="menu"
          aria-expanded={anchor !== null}
          onClick={(event) => setAnchor(event.currentTarget)}
        >
          My templates
        </Button>
      )}
      <Menu anchorEl={anchor} open={anchor !== null} onClose={() => setAnchor(null)}>
        {own.slice(0, TEMPLATES_SHOWN).map(({ id, name }) => (
          <MenuItem key={id} onClick={() => void use(id)} sx={{ maxWidth: 360, whiteSpace: 'normal' }}>
            {name}
          </MenuItem>
        ))}
        {own.length > TEMPLATES_SHOWN && (
          <MenuItem component={RouterLink} to={`${routes.library.path}?tab=templates`}>
            All templates
          </MenuItem>
        )}
      </Menu>
      <SaveAsTemplate
        subject={draft.subject}
        disabled={isEmptyDocument(document)}
        onSave={(name) => save(name, draft, document)}
      />
    </>
  );
}

/** Number of templates shown; all of them are in the Library. */
const TEMPLATES_SHOWN = 12;
