import { describe, expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import { renderPiece } from '../../test/render';
import { screenWidth } from '../../test/setup';
import { MailFrame } from './mail-frame';

const html =
  '<!doctype html><html><head><title>x</title></head><body><a href="https://jobs.example">Apply</a><script>parent.location = "/"</script></body></html>';
const frame = () => screen.getByTitle<HTMLIFrameElement>('Preview of "A job"');

describe('a mail in its frame', () => {
  it('is the HTML itself, runs no script and opens no link', () => {
    renderPiece(<MailFrame html={html} title='Preview of "A job"' />);
    expect(frame().srcdoc).toContain('<a href="https://jobs.example">Apply</a>');
    // An empty sandbox forbids scripts, popups, navigation of the page, and access to its origin.
    expect(frame()).toHaveAttribute('sandbox', '');
    expect(frame().srcdoc).toContain('<head><base target="_blank">');
  });

  it('is shown as wide as on a desktop or a phone, light and dark', async () => {
    const { user } = renderPiece(<MailFrame html={html} title='Preview of "A job"' />);
    expect(frame()).toHaveStyle({ width: '640px', colorScheme: 'light' });
    await user.click(screen.getByRole('button', { name: 'Phone' }));
    expect(frame()).toHaveStyle({ width: '360px' });
    await user.click(screen.getByRole('button', { name: 'Dark' }));
    expect(frame()).toHaveStyle({ colorScheme: 'dark' });
  });

  it('starts in phone width on a phone', () => {
    screenWidth(390);
    renderPiece(<MailFrame html={html} title='Preview of "A job"' />);
    expect(frame()).toHaveStyle({ width: '360px' });
  });

  it('shows the text part where there is one, and lists the targets of links', async () => {
    const { user } = renderPiece(<MailFrame html={html} text="Hello as text" title='Preview of "A job"' />);
    expect(screen.getByRole('link', { name: 'https://jobs.example' })).toHaveAttribute('rel', 'noopener noreferrer');
    await user.click(screen.getByRole('button', { name: 'Plain text' }));
    expect(screen.getByText('Hello as text')).toBeVisible();
    expect(screen.queryByTitle('Preview of "A job"')).not.toBeInTheDocument();
  });
});
