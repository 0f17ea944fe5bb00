import { filled } from '../../texts/filled';

/** The sentences of findings in German. `{0}` stands for a value, which stays as it is. */
const GERMAN: Record<string, string> = {
  // Found.
  'its document {0} is not a valid document': 'sein Dokument {0} ist ungültig',
  'its document {0} has the SHA-256 {1}': 'sein Dokument {0} hat den SHA-256 {1}',
  'it has no revision': 'es gibt keine Revision davon',
  'its status is {0}': 'der Status ist {0}',
  'its family is {0}': 'die Familie ist {0}',
  'it is not found by its tag {0}': 'die Suche nach dem eigenen Schlagwort {0} findet es nicht',
  'it is found by the tag {0}': 'die Suche nach dem Schlagwort {0} findet es',
  'its revision {0} has the {1} {2}': 'die Revision {0} hat als {1} den Wert {2}',
  'it holds nothing': 'es enthält nichts',
  'it holds the serial key {0}': 'er hält den Schlüssel der Reihenfolge {0}',
  'its content has the id {0}': 'der Inhalt hat die Id {0}',
  'it holds {0}': 'es enthält {0}',
  'in the pool with the id {0} it equals no revision': 'im Pool mit der Id {0} gleicht es keiner Revision',
  'in the pool with the id {0} it has no document': 'im Pool mit der Id {0} hat es kein Dokument',
  'in the pool with the id {0} it is found by other tags than it has':
    'im Pool mit der Id {0} wird es unter anderen Schlagwörtern gefunden, als es hat',
  'the fill {0} of the pool with the id {1} changed it from the revision {2} to {3}':
    'die Füllung {0} des Pools mit der Id {1} hat es von der Revision {2} zu {3} geändert',
  'its text for search differs from its document': 'der Suchtext entspricht nicht dem Dokument',
  'no search finds it': 'keine Suche findet sie',
  'searches find it by other words than it has': 'Suchen finden sie mit anderen Wörtern, als sie hat',
  'it had a former place at {0}': 'es hatte einen früheren Platz bei {0}',
  'the tag {0} took its place': 'das Schlagwort {0} trat an seine Stelle',
  'it has the tags of {0}': 'sie hat die Schlagwörter von {0}',
  'it has the tag {0}': 'sie hat das Schlagwort {0}',
  'its last fill has the SHA-256 {0}': 'seine letzte Füllung hat den SHA-256 {0}',
  'its content has the SHA-256 {0}': 'der Inhalt hat den SHA-256 {0}',
  'it lists the document {0} of organisation {1}, which does not exist':
    'sie nennt das Dokument {0} der Organisation {1}, das es nicht gibt',
  'it lists the document {0} of organisation {1}, which has the SHA-256 {2}':
    'sie nennt das Dokument {0} der Organisation {1}, das den SHA-256 {2} hat',
  'it has no row in session_work': 'sie hat keine Zeile in session_work',
  'it was taken with the form {0}': 'sie wurde mit der Fassung {0} bearbeitet',
  'it has the form {0}': 'sie hat die Fassung {0}',
  'its content cannot be read ({0})': 'der Inhalt kann nicht gelesen werden ({0})',
  'its items and responses differ from those of its form':
    'ihre Aufgaben und Antworten sind andere als die ihrer Fassung',
  'its totals: {0}': 'die Summen sind {0}',
  'its subscores: {0}': 'die Teilergebnisse sind {0}',
  'its scores of the item {0}: {1}': 'die Punkte der Aufgabe {0} sind {1}',
  'its is_adaptive: {0}': 'is_adaptive ist {0}',
  'its tags in session_tag: {0}': 'die Schlagwörter in session_tag sind {0}',
  'its response to {0}: scored by the document with the SHA-256 {1}':
    'die Antwort auf {0} wurde mit dem Dokument mit dem SHA-256 {1} bewertet',
  'its plan or checks cannot be read ({0})': 'Plan oder Prüfungen können nicht gelesen werden ({0})',
  'it belongs to another user than the session': 'sie gehört einer anderen Person als die Sitzung',
  'it was submitted, but there is no session': 'sie wurde abgegeben, aber es gibt keine Sitzung',
  'it was saved {0} times, but there is no session': 'sie wurde {0}-mal gespeichert, aber es gibt keine Sitzung',
  'the event {0} and another one have it': 'das Ereignis {0} und ein anderes haben sie',
  'an event has it': 'ein Ereignis hat sie',
  'it has reached the number {0}': 'er hat die Nummer {0} erreicht',
  'it is missing': 'sie fehlt',
  'it runs without a lease': 'er läuft ohne Zuteilung',
  'it is {0} and has the end {1}': 'er ist {0} und hat das Ende {1}',
  'it is {0} and has the error {1}': 'er ist {0} und hat den Fehler {1}',
  'its job {0} is gone': 'den Auftrag {0} gibt es nicht mehr',
  'its job {0} is {1}': 'der Auftrag {0} ist {1}',
  'it is not in the file store': 'sie fehlt im Dateispeicher',
  'it has {0} bytes': 'sie hat {0} Byte',
  'it is {0} and has no plan': 'er ist {0} und hat keinen Plan',
  'its file is not known': 'seine Datei ist nicht bekannt',
  'it was written by the import {0}': 'es wurde vom Import {0} geschrieben',
  'the import {0} made its revision {1}': 'der Import {0} hat die Revision {1} geschrieben',
  'before the import {0} it had the revision {1}': 'vor dem Import {0} war die Revision {1}',
  'nobody sees it': 'niemand sieht sie',
  'its address cannot be read': 'ihre Adresse kann nicht gelesen werden',
  'it belongs to nobody': 'sie gehört niemandem',
  'the role {0}': 'die Rolle {0}',
  'the answer {0} belongs to a round that does not exist': 'die Antwort {0} gehört zu einer Runde, die es nicht gibt',
  'the answer {0} belongs to a session that does not exist':
    'die Antwort {0} gehört zu einer Sitzung, die es nicht gibt',
  'the answer {0} is at the stage {1} with the score {2}': 'die Antwort {0} ist in der Stufe {1} mit {2} Punkten',
  'the answer {0} has two marks of {1}': 'die Antwort {0} hat zwei Noten von {1}',
  'a mark belongs to the answer {0}, which does not exist': 'eine Note gehört zur Antwort {0}, die es nicht gibt',
  // Comes after all other sentences that it matches.
  'its {0} is {1}': 'der Wert von {0} ist {1}',

  // Expected.
  'the SHA-256 {0}, which was stored with it': 'der SHA-256 {0}, der mit ihm gespeichert wurde',
  'the SHA-256 {0}, which was stored when it was filled': 'der SHA-256 {0}, der beim Füllen gespeichert wurde',
  'at least one revision': 'mindestens eine Revision',
  '{0}, as its latest revision says': '{0}, wie die letzte Revision sagt',
  '{0}, as its document says': '{0}, wie das Dokument sagt',
  '{0}, as its responses say': '{0}, wie die Antworten sagen',
  '{0} with the score {1}, as its marks say': '{0} mit {1} Punkten, wie die Noten sagen',
  'a row in bank_tag for each tag of its tag set': 'eine Zeile in bank_tag für jedes Schlagwort der Schlagwort-Menge',
  'a row in pool_tag for each tag of its tag set, and no other':
    'eine Zeile in pool_tag für jedes Schlagwort der Schlagwort-Menge, und keine andere',
  'a record with this id': 'ein Eintrag mit dieser Id',
  'this tag in its tag set': 'dieses Schlagwort in der Schlagwort-Menge',
  'a document with this id': 'ein Dokument mit dieser Id',
  'a tag set with this id': 'eine Schlagwort-Menge mit dieser Id',
  'a list of held records with this id': 'eine Inhaltsliste mit dieser Id',
  'a tag with this id': 'ein Schlagwort mit dieser Id',
  'another tag that exists': 'ein anderes Schlagwort, das es gibt',
  'its own id': 'die eigene Id',
  'its own tags': 'die eigenen Schlagwörter',
  'its own serial key while it runs, and none otherwise': 'der eigene, solange er läuft, sonst keiner',
  'a revision of its record with the same reference, document, tags and held records':
    'eine Revision des Eintrags mit derselben Referenz, demselben Dokument und Inhalt und denselben Schlagwörtern',
  'a document that exists': 'ein Dokument, das es gibt',
  'that text; itembank reindex repairs it': 'dieser Text; itembank reindex behebt es',
  'the words of its own texts and of its held records; itembank reindex repairs it':
    'die Wörter ihrer Texte und ihres Inhalts; itembank reindex behebt es',
  'a former place before {0}, its latest change': 'ein früherer Platz vor {0}, der letzten Änderung',
  'a form that exists': 'eine Fassung, die es gibt',
  'a document with the SHA-256 {0}': 'ein Dokument mit dem SHA-256 {0}',
  'a row with its responses': 'eine Zeile mit ihren Antworten',
  'responses, each with its mark, and items': 'Antworten, jede mit ihrer Note, und Aufgaben',
  'one response to each question of the form': 'eine Antwort auf jede Frage der Fassung',
  'JSON with items and counts': 'JSON mit Aufgaben und Zahlen',
  'the user of the session': 'die Person der Sitzung',
  'a session with its answers': 'eine Sitzung mit ihren Antworten',
  'one event': 'ein Ereignis',
  'at most {0}, the last assigned number': 'höchstens {0}, die letzte vergebene Nummer',
  'an event, because numbers have no gaps': 'ein Ereignis, denn die Nummern sind lückenlos',
  'a worker and a lease': 'ein Worker und eine Zuteilung',
  'an end if it has ended, and only then': 'ein Ende, wenn er beendet ist, und nur dann',
  'an error if it has halted, and only then': 'ein Fehler, wenn er angehalten ist, und nur dann',
  'a completed job': 'ein fertiger Auftrag',
  'a file of {0} bytes at {1}': 'eine Datei von {0} Byte unter {1}',
  'one of {0}': 'eines davon: {0}',
  'a plan': 'ein Plan',
  'the file that was uploaded': 'die hochgeladene Datei',
  'an import that exists': 'ein Import, den es gibt',
  'a revision whose author is {0}': 'eine Revision mit dem Autor {0}',
  'revisions of it, or null on one side': 'Revisionen davon, oder auf einer Seite null',
  'a revision of it': 'eine Revision davon',
  'an owner': 'eine Eigentümerin oder ein Eigentümer',
  'a JSON object': 'ein JSON-Objekt',
  'a person': 'eine Person',
  'a role of this release': 'eine Rolle dieser Version',
  'a round': 'eine Runde',
  'a session': 'eine Sitzung',
  'an answer': 'eine Antwort',
  'marks of different people': 'Noten verschiedener Personen',
};

const PATTERNS = Object.entries(GERMAN).map(([english, german]) => {
  const literal = english.split(/\{\d\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return { pattern: new RegExp(`^${literal.join('(.*)')}$`, 's'), german };
});

/** A sentence of a finding in the language. An unknown sentence stays in English. */
export function sentenceIn(language: 'en' | 'de', sentence: string): string {
  if (language === 'en') return sentence;
  for (const { pattern, german } of PATTERNS) {
    const match = pattern.exec(sentence);
    if (match) return filled(german, match.slice(1));
  }
  return sentence;
}
