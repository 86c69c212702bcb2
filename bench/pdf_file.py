"""A PDF file, object by object, with nothing but Python."""
import zlib


class PDFFile:
    """Objects are added in any order and named by the numbers that `add` and `stream` give."""

    def __init__(self):
        self.objects = [b"", b""]
        self.kids = []

    def add(self, body):
        self.objects.append(body)
        return len(self.objects)

    def stream(self, data, members=b"", packed=True):
        """`data` is packed here; where it is not to be, `members` says how it is packed already."""
        if packed:
            data, members = zlib.compress(data, 6), members + b" /Filter /FlateDecode"
        return self.add(b"<< %s /Length %d >>\nstream\n%s\nendstream" % (members, len(data), data))

    def page(self, content, resources=b"", size=(595, 842), members=b""):
        number = self.stream(content.encode("latin-1"))
        self.kids.append(self.add(
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 %d %d] /Contents %d 0 R /Resources << %s >> %s >>"
            % (*size, number, resources, members)))

    def write(self, path, catalog=b""):
        self.objects[0] = b"<< /Type /Catalog /Pages 2 0 R %s >>" % catalog
        self.objects[1] = b"<< /Type /Pages /Count %d /Kids [%s] >>" % (
            len(self.kids), b" ".join(b"%d 0 R" % kid for kid in self.kids))
        out, places = bytearray(b"%PDF-1.5\n"), []
        for number, body in enumerate(self.objects, 1):
            places.append(len(out))
            out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
        table = len(out)
        out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(self.objects) + 1)
        out += b"".join(b"%010d 00000 n \n" % place for place in places)
        out += b"trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(self.objects) + 1, table)
        with open(path, "wb") as file:
            file.write(out)
