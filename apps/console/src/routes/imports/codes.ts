import { texts } from '../../texts/texts';

/** Why a file cannot be read, by the code of the service. */
const en = {
  'file-missing': 'The file was not uploaded completely. Upload it again.',
  'file-too-large': 'The file, or one in the package, is too large to be read.',
  'format-unknown':
    'The format of the file was not recognised. Choose it, or look in the guide which formats are read.',
  'nothing-found': 'Nothing in the file could be read as a question, item or test. The plan says why.',
  'package-encrypted': 'The package is protected by a password. Export it without one.',
  'package-invalid': 'The package is damaged or is not a zip. Export or download it again.',
  'package-path-unsafe':
    'The package has a file whose name is unsafe, or a link. Nothing of it was read. Pack the files again as a zip, without links, and with plain names.',
  'package-too-large': 'The package becomes far too large by unpacking. Nothing of it was stored.',
  'text-encoding': 'The text is not in UTF-8. Save it as UTF-8 and import it again.',
  'xml-doctype': 'The XML has a document type, which could read other files, and is therefore not read. Remove it.',
  'xml-invalid': 'The XML has an error.',
  'xml-too-deep': 'The XML is nested too deeply.',
  'csv-invalid': 'The sheet has an error.',
  'json-invalid': 'The JSON has an error.',
  other: 'The file cannot be read.',
};

const de: typeof en = {
  'file-missing': 'Die Datei wurde nicht vollständig hochgeladen. Laden Sie sie noch einmal hoch.',
  'file-too-large': 'Die Datei oder eine im Paket ist zu groß, um gelesen zu werden.',
  'format-unknown':
    'Das Format der Datei wurde nicht erkannt. Wählen Sie es, oder sehen Sie in der Anleitung nach, welche Formate gelesen werden.',
  'nothing-found': 'Nichts in der Datei war als Frage, Aufgabe oder Test lesbar. Der Plan sagt, warum.',
  'package-encrypted': 'Das Paket ist durch ein Passwort geschützt. Exportieren Sie es ohne.',
  'package-invalid': 'Das Paket ist beschädigt oder kein Zip. Exportieren oder laden Sie es noch einmal.',
  'package-path-unsafe':
    'Das Paket hat eine Datei mit unsicherem Namen oder einen Link. Nichts davon wurde gelesen. Packen Sie die Dateien erneut als Zip, ohne Links und mit einfachen Namen.',
  'package-too-large': 'Das Paket wird beim Entpacken viel zu groß. Nichts davon wurde gespeichert.',
  'text-encoding': 'Der Text ist nicht in UTF-8. Speichern Sie ihn als UTF-8, und importieren Sie ihn erneut.',
  'xml-doctype':
    'Das XML hat einen Dokumenttyp, der andere Dateien lesen könnte, und wird deshalb nicht gelesen. Entfernen Sie ihn.',
  'xml-invalid': 'Das XML hat einen Fehler.',
  'xml-too-deep': 'Das XML ist zu tief verschachtelt.',
  'csv-invalid': 'Die Tabelle hat einen Fehler.',
  'json-invalid': 'Das JSON hat einen Fehler.',
  other: 'Die Datei kann nicht gelesen werden.',
};

export const useCodeTexts = texts({ en, de });

/** The code, when it has a text. */
export const knownCode = (code = 'other'): keyof typeof en =>
  Object.hasOwn(en, code) ? (code as keyof typeof en) : 'other';
