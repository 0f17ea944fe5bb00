import { texts } from '../../../../texts/texts';
import { essayTools } from '../essay-tools';

export const useFormattedTexts = texts({
  en: {
    ...essayTools.en,
    formatting: 'Formatting',
    image: 'Picture: {0}',
    link: 'Link',
    link_help: 'Link: select the words first',
    link_address: 'Address',
    link_example: 'For example https://example.org',
    link_wrong: 'Write a whole address that begins with https:, http: or mailto:.',
    link_add: 'Insert the link',
    addRow: 'Add a row below',
    addColumn: 'Add a column after this one',
    deleteRow: 'Delete the row',
    deleteColumn: 'Delete the column',
    deleteTable: 'Delete the table',
  },
  de: {
    ...essayTools.de,
    formatting: 'Formatierung',
    image: 'Bild: {0}',
    link: 'Link',
    link_help: 'Link: wählen Sie zuerst die Wörter aus',
    link_address: 'Adresse',
    link_example: 'Zum Beispiel https://example.org',
    link_wrong: 'Schreiben Sie eine ganze Adresse, die mit https:, http: oder mailto: beginnt.',
    link_add: 'Link einfügen',
    addRow: 'Zeile darunter einfügen',
    addColumn: 'Spalte dahinter einfügen',
    deleteRow: 'Zeile löschen',
    deleteColumn: 'Spalte löschen',
    deleteTable: 'Tabelle löschen',
  },
});
