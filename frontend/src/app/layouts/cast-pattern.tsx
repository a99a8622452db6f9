import Box from '@mui/material/Box';

const rings = [120, 220, 330, 450, 580, 720, 870];

/** The brand's arcs, large and faint, behind signed-out screens. */
export function CastPattern() {
  return (
    <Box
      component="svg"
      aria-hidden
      viewBox="0 0 900 900"
      sx={{ position: 'absolute', right: { xs: -360, md: -160 }, bottom: { xs: -420, md: -260 }, width: 900, height: 900, color: 'primary.main', opacity: 0.11, pointerEvents: 'none' }}
    >
      <g fill="none" stroke="currentColor" strokeWidth="1.5">
        {rings.map((radius) => (
          <circle key={radius} cx="900" cy="900" r={radius} />
        ))}
      </g>
    </Box>
  );
}
