import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useId } from 'react';
import { IconTemplate } from '../../../ui/icons';
import type { Template } from '../templates';

/** Texts to start from. */
export function TemplatePicker({ templates, onPick }: { templates: readonly Template[]; onPick: (template: Template) => void }) {
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
          <Button key={template.name} variant="outlined" color="inherit" startIcon={<IconTemplate size={16} aria-hidden />} onClick={() => onPick(template)}>
            {template.name}
          </Button>
        ))}
      </Box>
    </Box>
  );
}
