import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useId, type ReactNode } from 'react';
import { IconTemplate } from '../../../ui/icons';
import type { Template } from './templates';

/** The built-in templates, followed by the user's own. */
export function TemplatePicker({
  templates,
  onPick,
  children,
}: {
  templates: readonly Template[];
  onPick: (template: Template) => void;
  children?: ReactNode;
}) {
  const id = useId();
  return (
    <Box role="group" aria-labelledby={id}>
      <Typography id={id} variant="subtitle2" sx={{ mb: 0.75 }}>
        Templates{' '}
        <Box component="span" sx={{ color: 'text.secondary', fontWeight: 450 }}>
          (optional)
        </Box>
      </Typography>
      <Box sx={{ display: 'flex', gap: 1, flexWrap: 'wrap' }}>
        {templates.map((template) => (
          <Button
            key={template.name}
            variant="outlined"
            color="inherit"
            startIcon={<IconTemplate size={16} aria-hidden />}
            onClick={() => onPick(template)}
          >
            {template.name}
          </Button>
        ))}
        {children}
      </Box>
    </Box>
  );
}
