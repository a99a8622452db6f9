import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { crowdedZip, docm, docx, EICAR, odt, pdf, zip, zipBomb } from '../../../../../test/kit/uploads.js';
import { uploadedFileType } from './uploaded-file-type.js';
import { fileNameOf, uploadedName } from './file-name.js';

const folder = mkdtempSync(join(tmpdir(), 'staffcast-types-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function typeOf(bytes: Buffer | string, hasScanner = false): Promise<string | null> {
  const path = join(folder, 'file');
  writeFileSync(path, bytes);
  return uploadedFileType(path, hasScanner);
}

const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

describe('the type of a file', () => {
  it('is found by its bytes', async () => {
    expect(await typeOf(pdf())).toBe('application/pdf');
    expect(await typeOf(await docx())).toBe(DOCX);
    expect(await typeOf(await odt())).toBe('application/vnd.oasis.opendocument.text');
    expect(await typeOf('Résumé of Priya\n')).toBe('text/plain');
    expect(await typeOf(EICAR)).toBe('text/plain');
  });

  it('is none for programs, pictures and pages', async () => {
    for (const bytes of [
      'MZ\x90\0\x03\0\0\0',
      '\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0',
      'GIF89a/*<script>*/=1;alert(1)',
      '<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>',
      '\ufeff\n <html><script>1</script></html>',
      '<?xml version="1.0"?><svg/>',
      'text\0with a null',
    ])
      expect([bytes, await typeOf(Buffer.from(bytes, 'latin1'))]).toEqual([bytes, null]);
  });

  it('is none for containers with macros, too much in them, or another content', async () => {
    expect(await typeOf(await docm())).toBeNull();
    expect(await typeOf(await docx('x', { 'word/vbaProject.bin': 'x' }))).toBeNull();
    expect(await typeOf(await docx('x', { 'word/activeX/activeX1.xml': 'x' }))).toBeNull();
    expect(await typeOf(await zipBomb())).toBeNull();
    expect(await typeOf(await crowdedZip())).toBeNull();
    expect(await typeOf(await zip({ 'readme.txt': 'x' }))).toBeNull();
    expect(await typeOf((await docx()).subarray(0, 200))).toBeNull();
    const encrypted = await docx();
    // Sets the encryption flag of the first entry in the central directory.
    encrypted[encrypted.indexOf('PK\x01\x02') + 8]! |= 1;
    expect(await typeOf(encrypted)).toBeNull();
  });

  it('is none for a PDF that runs something or hides it, where no scanner looks', async () => {
    for (const extra of [
      '/OpenAction << /S /JavaScript /JS (app.alert(1)) >>',
      '/OpenAction << /S /#4aava#53cript >>',
      '/OpenAction << /S /Launch >>',
      '/Names << /EmbeddedFiles 3 0 R >>',
      '/Encrypt 4 0 R',
    ]) {
      expect([extra, await typeOf(pdf('x', extra))]).toEqual([extra, null]);
      expect(await typeOf(pdf('x', extra), true)).toBe('application/pdf');
    }
    expect(await typeOf(pdf('x', '/LaunchPad 1 /JSON 2'))).toBe('application/pdf');
    // A PDF name ends at white space or a delimiter. Compressed pictures contain such bytes by chance.
    expect(await typeOf(Buffer.concat([pdf(), Buffer.from('\x80/JS\x80\xff/JS\x01/JS~', 'latin1')]))).toBe(
      'application/pdf',
    );
    // The name may continue in the next chunk of the file.
    const split = pdf('').toString('latin1');
    for (let length = 2; length < 12; length++) {
      const named = `${split}${'x'.repeat(64 * 1024 - split.length - length)}/JavaScriptless `;
      expect(await typeOf(named)).toBe('application/pdf');
    }
    const far = pdf('x'.repeat(200_000), '').toString('latin1') + '/JavaScript ';
    expect(await typeOf(far)).toBeNull();
  });

  it('may be an older one of Word, or rich text, where a scanner looks', async () => {
    const compound = (stream: string) =>
      Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600), Buffer.from(stream, 'utf16le')]);
    expect(await typeOf(compound('WordDocument'))).toBeNull();
    expect(await typeOf(compound('WordDocument'), true)).toBe('application/msword');
    expect(await typeOf(compound('Workbook'), true)).toBeNull();
    expect(await typeOf('{\\rtf1 Resume}')).toBeNull();
    expect(await typeOf('{\\rtf1 Resume}', true)).toBe('application/rtf');
  });
});

describe('the name of a file', () => {
  it.each([
    ['../../x.pdf', 'x.pdf'],
    ['C:\\Users\\dana\\x.pdf', 'x.pdf'],
    ['resume.pdf.exe', 'resume.pdf'],
    ['resume.exe.pdf', 'resume.pdf'],
    ['Priya Patel v1.2.pdf', 'Priya Patel v1.2.pdf'],
    ['evil\u202efdp.exe', 'evilfdp.pdf'],
    ['two\r\nlines.pdf', 'two lines.pdf'],
    ['.pdf', 'document.pdf'],
    ['', 'document.pdf'],
    ['...', 'document.pdf'],
    ['Resume', 'Resume.pdf'],
  ])('%j becomes %j', (given, name) => expect(fileNameOf(given, 'application/pdf')).toBe(name));

  it('has at most 200 characters and its ending, and never half a character', () => {
    const name = fileNameOf(`${'x'.repeat(195)}👩‍💻${'y'.repeat(100)}.docx`, 'application/pdf');
    expect(name.length).toBeLessThanOrEqual(200);
    expect(name).toMatch(/^x{195}.*\.pdf$/);
    expect(name.isWellFormed()).toBe(true);
  });

  it('is read as UTF-8 where it is that', () => {
    expect(uploadedName(Buffer.from('Résumé.pdf', 'utf8').toString('latin1'))).toBe('Résumé.pdf');
    expect(uploadedName('R\u00e9sum\u00e9.pdf')).toBe('Résumé.pdf');
  });
});
