import sanitizeHtml from 'sanitize-html';
test('x', () => { expect(sanitizeHtml('<p>hi<script>x</script></p>')).toBe('<p>hi</p>'); });
